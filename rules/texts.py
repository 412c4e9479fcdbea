"""Names of the games and one line of rules each, in English, Finnish, Polish and Norwegian (bokmål)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NAMES: Final[Mapping[str, Mapping[str, str]]] = {
    "pyramid": {"en": "Pyramid", "fi": "Pyramidi", "pl": "Piramida", "nb": "Pyramide"},
    "king-tut": {"en": "King Tut", "fi": "Kuningas Tut", "pl": "Król Tut", "nb": "Kong Tut"},
    "tuts-tomb": {"en": "Tut's Tomb", "fi": "Tutin hauta", "pl": "Grobowiec Tuta", "nb": "Tuts grav"},
    "relaxed-pyramid": {
        "en": "Relaxed Pyramid",
        "fi": "Rento pyramidi",
        "pl": "Spokojna piramida",
        "nb": "Avslappet pyramide",
    },
    "easy-pyramid": {"en": "Easy Pyramid", "fi": "Helppo pyramidi", "pl": "Łatwa piramida", "nb": "Enkel pyramide"},
    "math-pyramid": {
        "en": "Maths Pyramid",
        "fi": "Laskupyramidi",
        "pl": "Piramida rachunkowa",
        "nb": "Regnepyramide",
    },
    "math-pyramid-jokers": {
        "en": "Maths Pyramid with jokers",
        "fi": "Laskupyramidi jokereilla",
        "pl": "Piramida rachunkowa z dżokerami",
        "nb": "Regnepyramide med jokere",
    },
    "math-pyramid-ten": {
        "en": "Maths Pyramid to ten",
        "fi": "Laskupyramidi kymppiin",
        "pl": "Piramida rachunkowa do dziesięciu",
        "nb": "Regnepyramide til ti",
    },
    "math-pyramid-nine": {
        "en": "Maths Pyramid to nine",
        "fi": "Laskupyramidi yhdeksään",
        "pl": "Piramida rachunkowa do dziewięciu",
        "nb": "Regnepyramide til ni",
    },
    "math-pyramid-three": {
        "en": "Maths Pyramid, three at a time",
        "fi": "Laskupyramidi, kolme kerrallaan",
        "pl": "Piramida rachunkowa po trzy karty",
        "nb": "Regnepyramide, tre om gangen",
    },
}

SUMMARIES: Final[Mapping[str, Mapping[str, str]]] = {
    "pyramid": {
        "en": "Pairs that make 13 leave, a king alone; covered cards lie face down; the card just turned is in "
        "play; once through the stock.",
        "fi": "Parit, joiden summa on 13, poistetaan, kuningas yksin; peitetyt kortit kuvapuoli alaspäin; juuri "
        "käännetty kortti on pelissä; varapakka kerran läpi.",
        "pl": "Pary o sumie 13 odchodzą, król sam; zakryte karty leżą grzbietem do góry; odwrócona karta jest w "
        "grze; stos przechodzi się raz.",
        "nb": "Par som blir 13 fjernes, kongen alene; dekkede kort ligger med baksiden opp; kortet som nettopp "
        "ble snudd er i spill; én gang gjennom kortstokken.",
    },
    "king-tut": {
        "en": "As Pyramid, with the king of spades laid at the apex beforehand (face down or face up).",
        "fi": "Kuten Pyramidi, mutta patakuningas asetetaan valmiiksi huipulle (kuvapuoli alas- tai ylöspäin).",
        "pl": "Jak Piramida, lecz na szczycie kładzie się z góry króla pik (zakrytego lub odkrytego).",
        "nb": "Som Pyramide, men sparkongen legges på forhånd på toppen (med baksiden eller forsiden opp).",
    },
    "tuts-tomb": {
        "en": "Three cards turned at a time, any number of passes; a card may pair with the single card that "
        "still covers it (all our reading).",
        "fi": "Kolme korttia käännetään kerralla, kierroksia rajatta; kortti voi muodostaa parin ainoan sitä "
        "peittävän kortin kanssa (oma tulkintamme).",
        "pl": "Odwraca się po trzy karty, przejść bez limitu; karta może tworzyć parę z jedyną kartą, która ją "
        "jeszcze przykrywa (nasza interpretacja).",
        "nb": "Tre kort snus om gangen, så mange runder man vil; et kort kan pares med det eneste kortet som ennå"
        " dekker det (vår tolkning).",
    },
    "relaxed-pyramid": {
        "en": "All face up; free pairs that make 13 leave, a king alone; a turned card lies on the waste; once "
        "through the stock; cards left in the stock do not matter.",
        "fi": "Kaikki kuvapuoli ylöspäin; vapaat parit, joiden summa on 13, poistetaan, kuningas yksin; käännetty"
        " kortti menee poistopakkaan; varapakka kerran läpi.",
        "pl": "Wszystko odkryte; wolne pary o sumie 13 odchodzą, król sam; odwrócona karta trafia na zrzut; stos "
        "przechodzi się raz.",
        "nb": "Alt ligger åpent; eksponerte par som blir 13 fjernes, kongen alene; et snudd kort legges på "
        "avfallet; én gang gjennom kortstokken.",
    },
    "easy-pyramid": {
        "en": "As Relaxed Pyramid, with two passes through the stock.",
        "fi": "Kuten Rento pyramidi, mutta varapakka käydään läpi kahdesti.",
        "pl": "Jak Spokojna piramida, lecz stos przechodzi się dwa razy.",
        "nb": "Som Avslappet pyramide, men kortstokken går to ganger.",
    },
    "math-pyramid": {
        "en": "All face up; add two free cards to make 13, a king leaves alone; once through the stock.",
        "fi": "Kaikki kuvapuoli ylöspäin; laske kahdesta vapaasta kortista 13, kuningas poistuu yksin; varapakka "
        "kerran läpi.",
        "pl": "Wszystko odkryte; dodaj dwie wolne karty do 13, król odchodzi sam; stos przechodzi się raz.",
        "nb": "Alt ligger åpent; legg sammen to eksponerte kort til 13, kongen går alene; én gang gjennom kortstokken.",
    },
    "math-pyramid-jokers": {
        "en": "As Maths Pyramid, with jokers: a joker pairs with any free card that is not itself the total, or "
        "with another joker (our reading).",
        "fi": "Kuten Laskupyramidi, mutta mukana jokerit: jokeri käy pariksi mille tahansa vapaalle kortille, "
        "joka ei yksin ole summa, tai toiselle jokerille (oma tulkintamme).",
        "pl": "Jak Piramida rachunkowa, z dżokerami: dżoker tworzy parę z każdą wolną kartą, która sama nie jest "
        "sumą, albo z drugim dżokerem (nasza interpretacja).",
        "nb": "Som Regnepyramide, med jokere: en joker kan pares med et hvilket som helst eksponert kort som ikke"
        " selv er summen, eller med en annen joker (vår tolkning).",
    },
    "math-pyramid-ten": {
        "en": "Ace to ten, six rows, pairs that make 10; two fives are a pair and a ten leaves alone.",
        "fi": "Ässästä kymppiin, kuusi riviä, parien summa 10; kaksi vitosta on pari ja kymppi poistuu yksin.",
        "pl": "Od asa do dziesiątki, sześć rzędów, pary o sumie 10; dwie piątki to para, a dziesiątka odchodzi sama.",
        "nb": "Ess til ti, seks rader, par som blir 10; to femmere er et par og en tier går alene.",
    },
    "math-pyramid-nine": {
        "en": "Ace to nine, six rows (our reading), pairs that make 9; a nine leaves alone.",
        "fi": "Ässästä yhdeksikköön, kuusi riviä (oma tulkintamme), parien summa 9; yhdeksikkö poistuu yksin.",
        "pl": "Od asa do dziewiątki, sześć rzędów (nasza interpretacja), pary o sumie 9; dziewiątka odchodzi sama.",
        "nb": "Ess til ni, seks rader (vår tolkning), par som blir 9; en nier går alene.",
    },
    "math-pyramid-three": {
        "en": "As Maths Pyramid, three cards turned at a time and any number of passes; it ends after a full pass"
        " in which no stock card was played.",
        "fi": "Kuten Laskupyramidi, mutta kolme korttia käännetään kerralla ja kierroksia on rajatta; peli "
        "päättyy, kun koko kierroksella ei pelattu yhtään varapakan korttia.",
        "pl": "Jak Piramida rachunkowa, lecz odwraca się po trzy karty, a przejść jest bez limitu; gra kończy się"
        " po pełnym przejściu, w którym nie zagrano żadnej karty ze stosu.",
        "nb": "Som Regnepyramide, men tre kort snus om gangen og rundene er ubegrenset; spillet slutter etter en "
        "hel runde der ingen kort fra kortstokken ble spilt.",
    },
}
