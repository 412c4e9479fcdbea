"""Polish: pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "Układ leży gdzie indziej",
    "corners.show": "Pokaż, gdzie leży układ",
    "corners.numbers": "Jako liczby",
    "corners.how": (
        "Dotknij na zdjęciu środków trzech kart w tej kolejności albo przeciągnij tam pierścienie; strzałki "
        "przesuwają pierścień, z klawiszem Shift dalej. Wystarczy w przybliżeniu, a puste miejsce liczy się tam, "
        "gdzie leżała karta."
    ),
    "corners.1": "Karta na szczycie",
    "corners.2": "Pierwsza karta ostatniego rzędu",
    "corners.3": "Ostatnia karta ostatniego rzędu",
    "corners.layout": "Co jest ułożone",
    "corners.pyramid": "Piramida, liczba rzędów: {rows}",
    "corners.apply": "Odczytaj w tym miejscu",
    "corners.now": "Teraz: {what}",
    "corners.at": "{what}: w poziomie {across} %, w pionie {down} %",
    "refused.title": "Tego zdjęcia nie udało się odczytać",
    "refused.as": "Spróbuj jako innej gry",
    "refused.try": "Spróbuj ponownie",
    "refused.another": "Zrób inne zdjęcie",
    "refused.back": "Wróć do gry",
    "refused.otherwise": "Spróbuj z tym zdjęciem inaczej",
    "refused.picture": "Zdjęcie, którego nie udało się odczytać",
    "refused.kept": "Zdjęcie pozostaje w pamięci przez pół godziny i nie trafia na dysk.",
    "error.no-refused": "Tego zdjęcia już nie ma w pamięci. Wybierz je ponownie.",
    "error.no-corners": "W tym układzie nie można wskazać skrajnych kart.",
    "error.corners-in-line": (
        "Te trzy karty leżą prawie w jednej linii. Wskaż kartę na szczycie i oba końce ostatniego rzędu."
    ),
    "keys.title": "Mowa i klawisze",
    "keys.all": "Wszystkie klawisze",
    "keys.switch": "Pojedyncze klawisze",
    "keys.h": "Więcej podpowiedzi",
    "keys.g": "Mniej podpowiedzi",
    "keys.r": "Powtórz",
    "keys.s": "Przestań mówić",
    "keys.u": "Cofnij",
    "keys.y": "Ponów",
    "keys.n": "Następne zdjęcie",
    "keys.w": "Obserwuj stół albo przestań",
    "keys.help": "Pokaż te klawisze",
    "keys.escape": "Escape zamyka to, co otwarte, i ucisza mowę.",
    "speech.title": "Mowa",
    "speech.switch": "Czytaj podpowiedzi i ruchy na głos",
    "speech.begun": "Podpowiedzi i ruchy są czytane na głos.",
    "speech.none": (
        "Ta przeglądarka nie ma własnego głosu dla tego języka ({language}): wszystko jest pokazywane, ale nic "
        "nie jest czytane."
    ),
    "speech.repeat": "Powtórz",
    "speech.stop": "Przestań mówić",
}
