"""Commands run in this process, and what they print."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from companion_app.cli import app


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, list(arguments), input=stdin)


def answers(result: Result) -> list[dict[str, Any]]:
    """The JSON objects printed; every line is one."""
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(answer["schema"] == 1 for answer in found)
    return found
