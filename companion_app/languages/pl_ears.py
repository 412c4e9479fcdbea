"""Polish: pictures tried otherwise, layouts pointed out, speech and keys."""

MESSAGES = {
    "corners.title": "Układ leży gdzie indziej",
    "corners.show": "Pokaż, gdzie leży układ",
    "corners.numbers": "Jako liczby",
    "corners.how": (
        "Dotknij na zdjęciu środków tych kart w tej kolejności albo przeciągnij tam pierścienie; strzałki "
        "przesuwają pierścień, z klawiszem Shift dalej. Wystarczy w przybliżeniu, a puste miejsce liczy się tam, "
        "gdzie leżała karta."
    ),
    "corners.layout": "Co jest ułożone",
    "corners.pyramid": "Piramida, liczba rzędów: {rows}",
    "corners.apply": "Odczytaj w tym miejscu",
    "corners.now": "Teraz: {what}",
    "corners.at": "{what}: w poziomie {across} %, w pionie {down} %",
    "corners.pyramid.1": "Karta na szczycie",
    "corners.pyramid.2": "Pierwsza karta ostatniego rzędu",
    "corners.pyramid.3": "Ostatnia karta ostatniego rzędu",
    "corners.rows.1": "Pierwsza karta podstawowa, u góry",
    "corners.rows.2": "Czwarta karta podstawowa",
    "corners.rows.3": "Skrajna karta po lewej",
    "corners.rows.4": "Skrajna karta po prawej",
    "refused.title": "Tego zdjęcia nie udało się odczytać",
    "refused.as": "Spróbuj jako innej gry",
    "refused.try": "Spróbuj ponownie",
    "refused.another": "Zrób inne zdjęcie",
    "refused.back": "Wróć do gry",
    "refused.otherwise": "Spróbuj z tym zdjęciem inaczej",
    "refused.picture": "Zdjęcie, którego nie udało się odczytać",
    "refused.kept": "Zdjęcie pozostaje w pamięci przez pół godziny i nie trafia na dysk.",
    "error.no-refused": "Tego zdjęcia już nie ma w pamięci. Wybierz je ponownie.",
    "error.no-corners": "Ten stół jest ułożony inaczej, niż wskazano, albo nie ma zdjęcia.",
    "error.pyramid-in-line": (
        "Te trzy karty leżą prawie w jednej linii. Wskaż kartę na szczycie i oba końce ostatniego rzędu."
    ),
    "error.rows-in-line": (
        "Skrajne karty muszą leżeć po obu stronach kart podstawowych. Wskaż pierwszą i czwartą kartę podstawową, "
        "a potem skrajną kartę z każdej strony."
    ),
    "keys.title": "Mowa i klawisze",
    "keys.all": "Wszystkie klawisze",
    "keys.switch": "Używaj pojedynczych klawiszy",
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
