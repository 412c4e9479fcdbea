"""English: kept games."""

MESSAGES = {
    "games.kept": "Your games",
    "games.go-on": "Go on with your game",
    "games.looks.one": "{n} picture",
    "games.looks.other": "{n} pictures",
    "games.delete": "Delete",
    "games.delete-sure": "Delete for good, with its pictures",
    "games.save": "Save the game",
    "games.save-record": "record as text",
    "games.save-page": "page with pictures",
    "change.undo": "Undo",
    "change.redo": "Redo",
    "games.unkept": "The game goes on, but it is not kept: {why}",
    "error.store": "The kept games cannot be used ({why}).",
    "error.store-newer": "The kept games were written by a newer cardtable; install that version to use them. They "
    "were left as they are.",
    "error.store-damaged": "The file of kept games is damaged ({why}). It was left as it is.",
    "error.store-locked": "Another program holds the file of kept games; close it and try again.",
    "error.store-full": "The disk is full: make room, and the next change is kept again.",
    "error.store-read-only": "The file of kept games cannot be written: its folder is read-only.",
    "watch.gone": "The camera is gone; it is waited for.",
    "watch.bumped": "The camera was moved; the table is found again.",
    "watch.unread": "This view could not be read: {why}",
    "watch.kept": "The game is kept: {id}",
    "error.no-camera": "There is no camera {name}.",
    "error.camera-gone": "The camera {name} went away and did not come back. The game is kept as it stood.",
}
