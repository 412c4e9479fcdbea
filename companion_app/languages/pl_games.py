"""Polish: kept games."""

MESSAGES = {
    "games.kept": "Twoje gry",
    "games.go-on": "Graj dalej",
    "games.looks.one": "{n} zdjęcie",
    "games.looks.few": "{n} zdjęcia",
    "games.looks.many": "{n} zdjęć",
    "games.delete": "Usuń",
    "games.delete-sure": "Usuń na zawsze, razem ze zdjęciami",
    "games.save": "Zapisz grę",
    "games.save-record": "zapis jako tekst",
    "games.save-page": "strona ze zdjęciami",
    "change.undo": "Cofnij",
    "change.redo": "Ponów",
    "games.unkept": "Gra toczy się dalej, ale nie jest zapisywana: {why}",
    "error.store": "Nie można użyć zapisanych gier ({why}).",
    "error.store-newer": "Zapisane gry pochodzą z nowszej wersji cardtable; zainstaluj ją, aby ich użyć. Pozostały "
    "nietknięte.",
    "error.store-damaged": "Plik zapisanych gier jest uszkodzony ({why}). Pozostał nietknięty.",
    "error.store-locked": "Inny program trzyma plik zapisanych gier; zamknij go i spróbuj ponownie.",
    "error.store-full": "Dysk jest pełny: zwolnij miejsce, a następna zmiana znów zostanie zapisana.",
    "error.store-read-only": "Nie można zapisać pliku gier: folder jest tylko do odczytu.",
}
