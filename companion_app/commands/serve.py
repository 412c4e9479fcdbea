"""`cardtable serve`: the page."""

import contextlib
import socket
import sys
import threading
import webbrowser
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from companion_app.commands.base import Lang, Output, Status, output
from companion_app.ending import leave
from companion_app.hints.preparing import Preparation
from companion_app.memory import share_heaps
from companion_app.serving.pairing import ANY_ADDRESS, LOCAL_NAMES, Pairing, lan_address
from companion_app.settings import Settings, games_folder, wrong_settings
from companion_app.troubles import as_trouble
from companion_app.wiring import eyes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import uvicorn

    from companion_app.desk.desk import Desk

LOOPBACK = "127.0.0.1"
CERTIFICATES = "https"
MAKER = f"{CERTIFICATES}/maker.pem"


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen at.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")] = None,
    browser: Annotated[
        bool | None, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = None,
    lan: Annotated[
        bool | None, typer.Option("--lan/--no-lan", help="Let devices of your network in, each by a code to scan.")
    ] = None,
    https: Annotated[
        bool | None,
        typer.Option(
            "--https/--http", help="Serve over https, which a phone wants before it shows what its camera sees."
        ),
    ] = None,
    camera: Annotated[
        str | None, typer.Option(metavar="N|URL|FILE", help="A camera of this computer above the table, to be watched.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Serve the page on this computer and open it in the browser."""
    given = {"host": host, "port": port, "browser": browser, "language": lang, "lan": lan, "https": https}
    flags = {name: value for name, value in given.items() if value is not None}
    out = output(False, lang)
    for line in wrong_settings(**flags):
        raise typer.BadParameter(line)
    settings = Settings(**flags)
    try:
        listeners = listen_all(settings.served_host, settings.port)
    except OSError as error:
        out.messages.print(f"{settings.served_host}:{settings.port}: {out.language.reason(error)}", style="red")
        out.note(Status.USAGE)
        out.end()
    share_heaps()
    preparation = Preparation()
    addresses = Addresses.of(settings, listeners[0].getsockname()[1])
    pairing = Pairing(addresses.guests)
    try:
        server = ready_server(settings, preparation, _watching(camera, out) if camera else None, pairing)
    except Exception as error:
        out.trouble(as_trouble(error, out.language))
        out.end()
    out.people.print(addresses.here)
    sys.stdout.flush()
    if settings.lan or pairing.address:
        _invite(pairing, out)
    if settings.https:
        out.messages.print(out.language.say("serve.https", maker=games_folder() / MAKER), markup=False)
    if settings.browser:
        threading.Timer(0.5, webbrowser.open, [addresses.here]).start()
    preparation.start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=listeners)
    # Pictures that are still read and searches that are still compiled are not waited for.
    leave(int(Status.FINE))


SWITCH = 0.0001
"""Seconds after which a thread that thinks about hints lets another go on. It rests while a picture is read; what comes
before and after that, and each page, asks for its turn many times, and with Python's own figure waits longer."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the page is found: by this computer, and by other devices (empty where those cannot come)."""

    here: str
    guests: str

    @classmethod
    def of(cls, settings: Settings, port: int) -> "Addresses":
        """The addresses of a page that is served at a port."""
        scheme, host = ("https" if settings.https else "http"), settings.served_host
        other = (lan_address() or "") if host in ANY_ADDRESS else "" if host in LOCAL_NAMES else host
        here = host if host in LOCAL_NAMES else LOOPBACK
        return cls(
            f"{scheme}://{_in_address(here)}:{port}/", f"{scheme}://{_in_address(other)}:{port}" if other else ""
        )


def _in_address(host: str) -> str:
    """A host as it stands in an address: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _invite(pairing: Pairing, out: Output) -> None:
    """Show the code that lets a phone in, or say that no phone can come."""
    if not pairing.address:
        out.messages.print(out.language.say("serve.no-network"), markup=False, style="red")
        return
    invitation = pairing.invitation()
    out.messages.print(out.language.say("serve.phone", address=invitation), markup=False)
    if sys.stderr.isatty():
        import segno

        segno.make(invitation, error="l").terminal(out=sys.stderr, compact=True)


def listen_all(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at an address, and at that of this computer itself where it is another one: only from there
    the code is seen that lets others in. Raises OSError where the port is taken."""
    first = listen(host, port)
    is_beside = host not in LOCAL_NAMES and host not in ANY_ADDRESS
    return [first, listen(LOOPBACK, first.getsockname()[1])] if is_beside else [first]


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; raises OSError where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen()
    return listener


def _watching(camera: str, out: Output) -> "Callable[[Desk], None]":
    """What begins to watch the table through a camera of this computer; what is noticed is told where the server was
    started."""

    def notice(what: str, why: str) -> None:
        out.messages.print(out.language.say(f"watch.{what}", why=why), markup=False)

    def work(desk: "Desk") -> None:
        from companion_app.camera.cameras import frames
        from companion_app.camera.watcher import watch

        try:
            for _ in watch(desk, "", {}, frames(camera), out.language, notice):
                pass
        except Exception as error:
            # The page goes on without the camera.
            out.failed(error, camera=camera)

    return lambda desk: threading.Thread(target=work, args=(desk,), daemon=True).start()


def ready_server(
    settings: Settings,
    preparation: Preparation,
    watching: "Callable[[Desk], None] | None" = None,
    pairing: Pairing | None = None,
) -> "uvicorn.Server":
    """A server with its nets loaded: what is left is to listen."""
    sys.setswitchinterval(SWITCH)
    reader = eyes()
    import uvicorn

    from companion_app.library.store import Store
    from companion_app.serving.patience import configured
    from companion_app.serving.server import create_app

    store = Store(games_folder()) if settings.keep else None
    page = create_app(settings, reader=reader, preparation=preparation, store=store, watching=watching, pairing=pairing)
    return uvicorn.Server(configured(page, _certificate(settings.served_host) if settings.https else None))


def _certificate(host: str) -> "Path":
    """The file of a key and certificate for this computer in its network, also as the host it is served at."""
    from companion_app.serving.secure import certificate

    names = ["localhost", LOOPBACK, "::1", lan_address() or LOOPBACK, host if host not in ANY_ADDRESS else LOOPBACK]
    return certificate(list(dict.fromkeys(names)), games_folder() / CERTIFICATES)
