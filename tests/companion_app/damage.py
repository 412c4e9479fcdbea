"""Plain input (positions, deals, records, forms, requests), and the same damaged at random."""

from random import Random
from urllib.parse import quote_plus

from tests.companion_app.fakes import picture_bytes

SMALL = '{"pyramid": [["KS"], ["6D", null], ["5H", "8C", "3C"]], "stock": 3, "waste": "5C", "turned": null, "pass": 1}'
LISTS = (
    '{"pyramid": [["KS"], ["6D", "7H"], ["5H", "8C", "3C"]], "stock_cards": ["2H", "??"], "waste_cards": ["4C", "9D"],'
    ' "gone_cards": ["AS", "QC"]}'
)
ROWS = (
    '{"base": ["AS", "AH", "AD", "AC"], "left": [["2S"], [], ["4H", "5D"], ["9C"], []],'
    ' "right": [[], ["KH"], [], [], []], "cellar": null, "direction": "up", "reversed": false, "free_centre": [],'
    ' "base_cards": [null, null, null, null]}'
)
DEAL = "6D 4H 5D AC 6S 5C 3D 2D 4D AS 5H 2C 4S 3H 4C 6C 3C 3S 2S AH 5S AD 6H 2H"
RECORD = f"""game: relaxed-pyramid
rules: rows=3 total=6
deal: {DEAL}
1. single 6S @ pyramid 3 2
2. pair AC 5C @ pyramid 3 1, pyramid 3 3
3. turn 3D @ stock, waste
"""
PLACED = """game: relaxed-pyramid
rules: rows=3 total=6
position: 6D / 4H 5D / AC 6S 5C ; stock=18 ; waste=-- ; pass=1 ; foundation=--
1. single 6S
"""
ROW_RECORD = """game: arcydzielo
position: base=AS AH AD AC ; left=2S 3S / 4H / - / - / - ; right=5D / - / - / - / - ; cellar=--
1. foundation 2S @ left 1 2, base 1
"""

ODD = (
    "[" * 100000,
    '{"position":' * 3000,
    "9" * 4400,
    "9" * 4300,
    str(10**30),
    " " * 3000,
    "\x00",
    "\x1b[2J",
    "\r\n",
    *(
        r"-1",
        r"1e999",
        r"NaN",
        r"\ud800",
        r"\u0000",
        r"٣",
        r"²",
        r'""',
        r"null",
        r"true",
        r"[]",
        r"{}",
        r"{0}",
        r"%s",
        r"--",
        r"??",
        r"!!",
        r"JK",
        r"@",
        r";",
        r":",
        r"game:",
        r"=",
        r"0",
    ),
)
ODD_CHARACTERS = "\0\"',:[]{}\x7f\x9b\ud800\u202e\ufeff\U0001f0a1"

ACTIONS = [
    "settle",
    "game",
    "piles",
    "stage",
    "hint",
    "next",
    "watched",
    "allow",
    "anew",
    "back",
    "text",
    "glance",
    "?",
]
FIELDS = [
    "place",
    "card",
    "game",
    "stock",
    "pass",
    "stage",
    "step",
    "move",
    "position",
    "look",
    "sample",
    "rows",
    "passes",
    "from",
    "language",
]
PATHS = [
    "/",
    "/tables/{id}",
    "/tables/{id}/picture.jpg",
    "/tables/{id}/position.svg",
    "/tables/{id}?place=pyramid+1+1",
    "/tables",
    "/samples/pyramid.jpg",
    "/static/page.js",
    "/language",
    "/decks",
]
VALUES = ("pyramid 1 1", "waste", "KS", "gone", "", "relaxed-pyramid", "auto", "none", "3", "99", SMALL, LISTS, ROWS)
ODD_PATHS = ("%00", "%ED%A0%80", "%ff", "..%2f", "//x", "%0d%0a", "x" * 5_000, "[", "]", "#", "%5b", "{}", "~")
HEADERS = [
    "Host",
    "Origin",
    "Accept-Language",
    "Content-Length",
    "Content-Type",
    "Sec-Fetch-Site",
    "Transfer-Encoding",
    "Range",
    "If-Modified-Since",
    "Cookie",
    "Referer",
]
HEADER_VALUES = [
    "[",
    "http://[",
    "[::1",
    "]",
    "http://[::1]:x",
    "localhost:99999999999999999999",
    "",
    "ÿ",
    "en;q=nan",
    "bytes=0-1,5-",
    "chunked",
    "*/*",
    "language=fi",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "application/x-www-form-urlencoded; charset=utf-16",
    "text/plain\x00",
    "9" * 4400,
    "bytes=-" + "9" * 4400,
    "en;q=x,fi;q=" + "9" * 400,
]


def damaged(text: str, rng: Random) -> str:
    """A text with a few places of it doubled, lost, swapped or replaced by something odd."""
    for _ in range(rng.randint(1, 4)):
        begin = rng.randrange(len(text) + 1)
        end = min(len(text), begin + rng.choice((0, 1, 1, 2, 5, 20)))
        kind = rng.randrange(5)
        if kind == 0:
            middle = ""
        elif kind == 1:
            middle = text[begin:end] * rng.choice((2, 3, 200))
        elif kind == 2:
            middle = rng.choice(ODD_CHARACTERS)
        else:
            middle = rng.choice(ODD)
        text = text[:begin] + middle + text[end:]
    return text


def form(rng: Random) -> tuple[bytes, str]:
    """A form as bytes, and its type."""
    fields = [(rng.choice(FIELDS), rng.choice(VALUES)) for _ in range(rng.randint(0, 3))]
    fields = [(name, damaged(value, rng) if rng.random() < 0.6 else value) for name, value in fields]
    if rng.random() < 0.6:
        body = "&".join(f"{name}={quote_plus(value.encode('utf-8', 'surrogatepass'))}" for name, value in fields)
        return body.encode(), "application/x-www-form-urlencoded"
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode("utf-8", "surrogatepass")
        for name, value in fields
    ]
    if rng.random() < 0.5:
        name = damaged("table.jpg", rng).replace("\n", " ").replace("\r", " ")[:200].encode("utf-8", "replace")
        head = b'--b\r\nContent-Disposition: form-data; name="picture"; filename="' + name + b'"\r\n\r\n'
        picture = rng.choice((picture_bytes(), picture_bytes()[: rng.randrange(400)], b"", rng.randbytes(200)))
        parts.append(head + picture + b"\r\n")
    body = b"".join(parts) + b"--b--\r\n"
    if rng.random() < 0.3:
        at = rng.randrange(len(body))
        body = body[:at] + rng.randbytes(3) + body[at + rng.randrange(4) :]
    return body, "multipart/form-data; boundary=b"


def request_bytes(table: str, host: str, rng: Random) -> bytes:
    """A request, damaged more often than not."""
    if rng.random() < 0.5:
        path, method = rng.choice(PATHS).format(id=table), rng.choice(("GET", "GET", "HEAD", "X"))
        body, kind = b"", ""
    else:
        path = rng.choice((f"/tables/{table}/{rng.choice(ACTIONS)}", "/tables", "/language"))
        method, (body, kind) = "POST", form(rng)
    if rng.random() < 0.3:
        at = rng.randrange(1, len(path) + 1)
        path = path[:at] + rng.choice(ODD_PATHS) + path[at:]
    headers = {"Host": host, "Accept": rng.choice(("text/html", "application/problem+json")), "Connection": "close"}
    if body:
        headers |= {"Content-Type": kind, "Content-Length": str(len(body))}
    if rng.random() < 0.5:
        headers[rng.choice(HEADERS)] = rng.choice(HEADER_VALUES)
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + body
