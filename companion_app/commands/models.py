"""`cardtable models verify`: every model against its manifest."""

import hashlib
import json
from importlib.resources import files
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape

from companion_app.commands.base import Json, Lang, Status, output
from companion_app.commands.examples import examples
from companion_app.commands.usage import Verb, Verbs
from companion_app.languages import Language

REASONS = ("no manifest", "no model", "damaged manifest", "other sha256")
"""What may be wrong with a model, besides that its file cannot be read."""

models_app = typer.Typer(cls=Verbs, help="The trained models.", no_args_is_help=True)


@models_app.callback()
def models() -> None:
    """The trained models."""


@models_app.command("verify", cls=Verb, epilog=examples("models verify"))
def verify(as_json: Json = False, lang: Lang = None) -> None:
    """Compare the sha256 of every model with its manifest."""
    out = output(as_json, lang)
    checks = [check(name) for name in model_names()]
    if not checks or not all(found["ok"] for found in checks):
        out.note(Status.UNREADABLE)
    for found in checks:
        out.answer(found, show)
    if not checks:
        out.messages.print(out.language.say("models.none"), markup=False)
    out.end()


def model_names() -> list[str]:
    """Names of the models that lie in the package or are named by a manifest, without ending."""
    names = [entry.name for entry in files("models").iterdir()]
    return sorted({name.rsplit(".", 1)[0] for name in names if name.endswith((".onnx", ".json"))})


def check(name: str) -> dict[str, Any]:
    """What a manifest says of its model and what the file says."""
    folder = files("models")
    model, manifest = folder / f"{name}.onnx", folder / f"{name}.json"
    if not manifest.is_file():
        return {"model": name, "ok": False, "reason": "no manifest"}
    try:
        told = json.loads(manifest.read_text(encoding="utf-8"))
        wanted, weights = told.get("sha256"), told.get("weights")
        if weights is None and not model.is_file():
            return {"model": name, "ok": False, "reason": "no model"}
        # A few weights are kept in the manifest itself, a net in a file beside it.
        content = model.read_bytes() if weights is None else json.dumps(weights, sort_keys=True).encode()
    except OSError as error:
        return {"model": name, "ok": False, "reason": error.strerror}
    except (ValueError, AttributeError, RecursionError):
        return {"model": name, "ok": False, "reason": "damaged manifest"}
    digest = hashlib.sha256(content).hexdigest()
    ok = digest == wanted
    return {"model": name, "ok": ok, "sha256": digest, "bytes": len(content), "reason": None if ok else "other sha256"}


def show(console: Console, language: Language, data: dict[str, Any]) -> None:
    """One model for people."""
    sign = "[green]✓[/green]" if data["ok"] else "[red]✕[/red]"
    size = language.number(data.get("bytes", 0))
    why = data["reason"] or ""
    if why in REASONS:
        why = language.say(f"models.why.{why.replace(' ', '-')}")
    console.print(f"{sign} {data['model']}  {size} B  {data.get('sha256', '')[:16]}  {escape(why)}")
