"""The page's list of decks: teach one from a photograph, choose one, forget one."""

from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import RedirectResponse

from companion_app.decks.deck_eyes import DeckEyes
from companion_app.errors import UsageTrouble
from companion_app.serving.pages import Pages
from companion_app.serving.security import Sent
from companion_app.serving.speaking import language_of
from vision.decks.profile import ProfileError
from vision.decks.selection import AUTO, NO_DECK

SEE_OTHER = 303


def deck_routes(eyes: DeckEyes, pages: Pages, sent_form: Callable[[Request], AsyncIterator[Sent]]) -> APIRouter:
    """The routes of the list; what is chosen holds for everyone who is served, until the server ends."""
    router = APIRouter()

    @router.get("/decks")
    def decks(request: Request) -> Response:
        return pages.decks(language_of(request), eyes.decks(), eyes.deck, eyes.drafts.all())

    @router.post("/decks")
    def teach(request: Request, form: Sent = Depends(sent_form)) -> Response:
        if form.picture is None:
            raise UsageTrouble("nothing", language_of(request).say("error.nothing"))
        eyes.teach(form["name"].strip(), [form.picture], None, [form.picture_name])
        return listed()

    @router.post("/decks/again")
    def again(form: Sent = Depends(sent_form)) -> Response:
        draft = eyes.drafts.load(form["name"])
        eyes.drafts.save(draft.without(draft.last))
        return listed()

    @router.post("/decks/anew")
    def anew(form: Sent = Depends(sent_form)) -> Response:
        eyes.drafts.forget(form["name"])
        return listed()

    @router.post("/decks/choose")
    def choose(form: Sent = Depends(sent_form)) -> Response:
        name = form["name"]
        if name not in (AUTO, NO_DECK, *eyes.files.names()):
            raise ProfileError("no-deck", name)
        eyes.deck = name
        return listed()

    @router.post("/decks/forget")
    def forget(form: Sent = Depends(sent_form)) -> Response:
        eyes.forget(form["name"])
        if eyes.deck not in (AUTO, NO_DECK, *eyes.files.names()):
            eyes.deck = AUTO
        return listed()

    return router


def listed() -> Response:
    """Go and see the list."""
    return RedirectResponse("/decks", SEE_OTHER)
