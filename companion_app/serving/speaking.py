"""Which language a request is answered in: the one chosen before, else the best that the browser accepts."""

from fastapi import Request

from companion_app.languages import CODES, Language, language, preferred

COOKIE = "language"


def language_of(request: Request) -> Language:
    """The language of a request."""
    chosen = request.cookies.get(COOKIE, "")
    return language(chosen if chosen in CODES else preferred(request.headers.get("accept-language", "")))
