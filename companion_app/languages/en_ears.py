"""English: pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "The layout lies elsewhere",
    "corners.show": "Show where the layout lies",
    "corners.numbers": "As numbers",
    "corners.how": (
        "Tap the middles of these cards on the picture, in this order, or drag the rings there; arrow keys move a"
        " ring, with Shift further. About is enough, and an empty place counts where its card lay."
    ),
    "corners.layout": "What is laid",
    "corners.pyramid": "Pyramid, {rows} rows",
    "corners.apply": "Read it there",
    "corners.now": "Now: {what}",
    "corners.at": "{what}: {across} % across, {down} % down",
    "corners.pyramid.1": "The card at the top",
    "corners.pyramid.2": "First card of the last row",
    "corners.pyramid.3": "Last card of the last row",
    "corners.rows.1": "The first base, at the top",
    "corners.rows.2": "The fourth base",
    "corners.rows.3": "The outermost card to the left",
    "corners.rows.4": "The outermost card to the right",
    "refused.title": "This picture could not be read",
    "refused.as": "Try it as another game",
    "refused.try": "Try again",
    "refused.another": "Take another picture",
    "refused.back": "Back to the game",
    "refused.otherwise": "Try this picture otherwise",
    "refused.picture": "The picture that could not be read",
    "refused.kept": "The picture is kept in memory for half an hour, and on no disk.",
    "error.no-refused": "The picture is no longer kept. Choose it again.",
    "error.no-corners": "This table is laid in another way than was pointed at, or has no picture.",
    "error.pyramid-in-line": (
        "The three cards lie too near to a line. Point at the card at the top and at both ends of the last row."
    ),
    "error.rows-in-line": (
        "The outermost cards must lie on both sides of the bases. Point at the first and the fourth base, then at"
        " the outermost card of each side."
    ),
    "keys.title": "Speech and keys",
    "keys.all": "All keys",
    "keys.switch": "Use single keys",
    "keys.h": "More of the hint",
    "keys.g": "Less of the hint",
    "keys.r": "Say it again",
    "keys.s": "Stop speaking",
    "keys.u": "Undo",
    "keys.y": "Redo",
    "keys.n": "Next picture",
    "keys.w": "Watch the table, or stop watching",
    "keys.help": "Show these keys",
    "keys.escape": "Escape closes what is open and stops speech.",
    "speech.title": "Speech",
    "speech.switch": "Speak hints and moves",
    "speech.begun": "Hints and moves are spoken.",
    "speech.none": "This browser has no voice of its own for {language}: everything is shown, but nothing is spoken.",
    "speech.repeat": "Say it again",
    "speech.stop": "Stop speaking",
}
