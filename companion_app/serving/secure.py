"""A certificate of this computer's own, for pages that other devices open over https."""

from pathlib import Path

import trustme


def certificate(names: list[str], folder: Path) -> Path:
    """The file of a new key with its certificate for host names and addresses, in a folder that only this user reads;
    beside it `maker.pem`, which a device may be told to trust. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    maker = trustme.CA(organization_name="cardtable")
    key = folder / "key.pem"
    key.touch(mode=0o600)
    maker.issue_cert(*names).private_key_and_cert_chain_pem.write_to_path(str(key))
    maker.cert_pem.write_to_path(str(folder / "maker.pem"))
    return key
