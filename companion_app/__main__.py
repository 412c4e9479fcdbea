"""`python -m companion_app` is the same as `cardtable`."""

from companion_app.cli import app

app(prog_name="cardtable")
