"""`cardtable serve`: the page."""

import contextlib
import socket
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

from companion_app.commands.base import Lang, Output, Status, output
from companion_app.ending import leave
from companion_app.memory import share_heaps
from companion_app.preparing import Preparation
from companion_app.settings import Settings, games_folder, wrong_settings
from companion_app.troubles import as_trouble
from companion_app.wiring import eyes

if TYPE_CHECKING:
    from collections.abc import Callable

    import uvicorn

    from companion_app.desk import Desk


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen at.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; 0 takes any free one.")] = None,
    browser: Annotated[
        bool | None, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = None,
    camera: Annotated[
        str | None, typer.Option(metavar="N|URL|FILE", help="A camera of this computer above the table, to be watched.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Serve the page on this computer and open it in the browser."""
    given = {"host": host, "port": port, "browser": browser, "language": lang}
    flags = {name: value for name, value in given.items() if value is not None}
    out = output(False, lang)
    for line in wrong_settings(**flags):
        raise typer.BadParameter(line)
    settings = Settings(**flags)
    try:
        listener = listen(settings.host, settings.port)
    except OSError as error:
        out.messages.print(f"{settings.host}:{settings.port}: {error.strerror}", style="red")
        out.note(Status.USAGE)
        out.end()
    share_heaps()
    preparation = Preparation()
    try:
        server = ready_server(settings, preparation, _watching(camera, out) if camera else None)
    except Exception as error:
        out.trouble(as_trouble(error, out.language))
        out.end()
    address = f"http://{settings.host}:{listener.getsockname()[1]}/"
    out.people.print(address)
    sys.stdout.flush()
    if settings.browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    preparation.start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    # Pictures that are still read and searches that are still compiled are not waited for.
    leave(int(Status.FINE))


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
        from companion_app.cameras import frames
        from companion_app.watcher import watch

        try:
            for _ in watch(desk, "", {}, frames(camera), out.language, notice):
                pass
        except Exception as error:
            # The page goes on without the camera.
            out.failed(error, camera=camera)

    return lambda desk: threading.Thread(target=work, args=(desk,), daemon=True).start()


def ready_server(
    settings: Settings, preparation: Preparation, watching: "Callable[[Desk], None] | None" = None
) -> "uvicorn.Server":
    """A server with its nets loaded: what is left is to listen."""
    reader = eyes()
    import uvicorn

    from companion_app.patience import configured
    from companion_app.server import create_app
    from companion_app.store import Store

    store = Store(games_folder()) if settings.keep else None
    return uvicorn.Server(
        configured(create_app(settings, reader=reader, preparation=preparation, store=store, watching=watching))
    )
