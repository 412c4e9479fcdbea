"""English: pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "The layout lies elsewhere",
    "corners.show": "Show where the layout lies",
    "corners.numbers": "As numbers",
    "corners.how": (
        "Tap the middles of three cards on the picture, in this order, or drag the rings there; arrow keys move a"
        " ring, with Shift further. About is enough, and an empty place counts where its card lay."
    ),
    "corners.1": "The card at the top",
    "corners.2": "First card of the last row",
    "corners.3": "Last card of the last row",
    "corners.layout": "What is laid",
    "corners.pyramid": "Pyramid, {rows} rows",
    "corners.apply": "Read it there",
    "corners.now": "Now: {what}",
    "corners.at": "{what}: {across} % across, {down} % down",
    "refused.title": "This picture could not be read",
    "refused.as": "Try it as another game",
    "refused.try": "Try again",
    "refused.another": "Take another picture",
    "refused.back": "Back to the game",
    "refused.otherwise": "Try this picture otherwise",
    "refused.picture": "The picture that could not be read",
    "refused.kept": "The picture is kept in memory for half an hour, and on no disk.",
    "error.no-refused": "The picture is no longer kept. Choose it again.",
    "error.no-corners": "For this layout no outer cards can be pointed at.",
    "error.corners-in-line": (
        "The three cards lie too near to a line. Point at the card at the top and at both ends of the last row."
    ),
}
