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
    "arcydzielo": {"en": "Masterpiece", "fi": "Mestariteos", "pl": "Arcydzieło", "nb": "Mesterverk"},
    "nowy-domator": {"en": "New Stay-at-Home", "fi": "Uusi kotihiiri", "pl": "Nowy domator", "nb": "Ny hjemmesitter"},
    "wiezniowie": {"en": "Prisoners", "fi": "Vangit", "pl": "Więźniowie", "nb": "Fanger"},
    "wiezniowie-12": {
        "en": "Prisoners, rows of twelve",
        "fi": "Vangit, kahdentoista rivit",
        "pl": "Więźniowie, rzędy po dwanaście",
        "nb": "Fanger, rader på tolv",
    },
    "piwnica": {"en": "The Cellar", "fi": "Kellari", "pl": "Piwnica", "nb": "Kjelleren"},
    "ulubiony": {"en": "The Favourite", "fi": "Suosikki", "pl": "Ulubiony", "nb": "Favoritten"},
}

SUMMARIES: Final[Mapping[str, Mapping[str, str]]] = {
    "pyramid": {
        "en": "Pairs that make 13 leave, a king alone; covered cards lie face down; the card just turned is in play; "
        "once through the stock.",
        "fi": "Parit, joiden summa on 13, poistetaan, kuningas yksin; peitetyt kortit kuvapuoli alaspäin; juuri "
        "käännetty kortti on pelissä; varapakka kerran läpi.",
        "pl": "Pary o sumie 13 odchodzą, król sam; przykryte karty leżą koszulką do góry; właśnie odkryta karta jest w "
        "grze; stos przechodzi się raz.",
        "nb": "Par som blir 13, fjernes, kongen alene; dekkede kort ligger med baksiden opp; kortet som nettopp ble "
        "snudd, er i spill; én gang gjennom kortstokken.",
    },
    "king-tut": {
        "en": "As Pyramid, with the king of spades laid at the apex beforehand (face down or face up).",
        "fi": "Kuten Pyramidi, mutta patakuningas asetetaan valmiiksi huipulle (kuvapuoli alas- tai ylöspäin).",
        "pl": "Jak Piramida, lecz na szczycie kładzie się z góry króla pik (zakrytego lub odkrytego).",
        "nb": "Som Pyramide, men sparkongen legges på forhånd på toppen (med baksiden eller forsiden opp).",
    },
    "tuts-tomb": {
        "en": "Three cards turned at a time, any number of passes; a card may pair with the single card that still "
        "covers it (all our reading).",
        "fi": "Kolme korttia käännetään kerralla, kierroksia rajattomasti; kortti voi muodostaa parin ainoan sitä "
        "peittävän kortin kanssa (kaikki oma tulkintamme).",
        "pl": "Odkrywa się po trzy karty, przejść bez limitu; karta może tworzyć parę z jedyną kartą, która ją jeszcze "
        "przykrywa (wszystko to nasza interpretacja).",
        "nb": "Tre kort snus om gangen, så mange omganger man vil; et kort kan pares med det eneste kortet som ennå "
        "dekker det (alt vår tolkning).",
    },
    "relaxed-pyramid": {
        "en": "All face up; free pairs that make 13 leave, a king alone; a turned card lies on the waste; once through "
        "the stock; cards left in the stock do not matter.",
        "fi": "Kaikki kuvapuoli ylöspäin; vapaat parit, joiden summa on 13, poistetaan, kuningas yksin; käännetty "
        "kortti menee poistopakkaan; varapakka kerran läpi; varapakkaan jäävillä korteilla ei ole väliä.",
        "pl": "Wszystko odkryte; wolne pary o sumie 13 odchodzą, król sam; odkryta karta trafia na zrzut; stos "
        "przechodzi się raz; karty pozostałe w stosie nie mają znaczenia.",
        "nb": "Alt ligger åpent; eksponerte par som blir 13, fjernes, kongen alene; et snudd kort legges på avfallet; "
        "én gang gjennom kortstokken; kort som blir igjen i kortstokken, betyr ingenting.",
    },
    "easy-pyramid": {
        "en": "As Relaxed Pyramid, with two passes through the stock.",
        "fi": "Kuten Rento pyramidi, mutta varapakka käydään läpi kahdesti.",
        "pl": "Jak Spokojna piramida, lecz stos przechodzi się dwa razy.",
        "nb": "Som Avslappet pyramide, men man går gjennom kortstokken to ganger.",
    },
    "math-pyramid": {
        "en": "All face up; add two free cards to make 13, a king leaves alone; once through the stock.",
        "fi": "Kaikki kuvapuoli ylöspäin; laske yhteen kaksi vapaata korttia, summa 13; kuningas poistuu yksin; "
        "varapakka kerran läpi.",
        "pl": "Wszystko odkryte; zdejmuj po dwie wolne karty o sumie 13, król odchodzi sam; stos przechodzi się raz.",
        "nb": "Alt ligger åpent; legg sammen to eksponerte kort til 13, kongen går alene; én gang gjennom kortstokken.",
    },
    "math-pyramid-jokers": {
        "en": "As Maths Pyramid, with jokers: a joker pairs with any free card that is not itself the total, or with "
        "another joker (our reading).",
        "fi": "Kuten Laskupyramidi, mutta mukana jokerit: jokeri käy pariksi mille tahansa vapaalle kortille, joka ei "
        "yksin ole summa, tai toiselle jokerille (oma tulkintamme).",
        "pl": "Jak Piramida rachunkowa, z dżokerami: dżoker tworzy parę z każdą wolną kartą, która sama nie jest sumą, "
        "albo z drugim dżokerem (nasza interpretacja).",
        "nb": "Som Regnepyramide, med jokere: en joker kan pares med et hvilket som helst eksponert kort som ikke selv "
        "er summen, eller med en annen joker (vår tolkning).",
    },
    "math-pyramid-ten": {
        "en": "Ace to ten, six rows, pairs that make 10; two fives are a pair and a ten leaves alone.",
        "fi": "Ässästä kymppiin, kuusi riviä, parien summa 10; kaksi vitosta on pari ja kymppi poistuu yksin.",
        "pl": "Od asa do dziesiątki, sześć rzędów, pary o sumie 10; dwie piątki to para, a dziesiątka odchodzi sama.",
        "nb": "Ess til ti, seks rader, par som blir 10; to femmere er et par, og en tier går alene.",
    },
    "math-pyramid-nine": {
        "en": "Ace to nine, six rows (our reading), pairs that make 9; a nine leaves alone.",
        "fi": "Ässästä yhdeksikköön, kuusi riviä (oma tulkintamme), parien summa 9; yhdeksikkö poistuu yksin.",
        "pl": "Od asa do dziewiątki, sześć rzędów (nasza interpretacja), pary o sumie 9; dziewiątka odchodzi sama.",
        "nb": "Ess til ni, seks rader (vår tolkning), par som blir 9; en nier går alene.",
    },
    "math-pyramid-three": {
        "en": "As Maths Pyramid, three cards turned at a time and any number of passes; it ends after a full pass in "
        "which no stock card was played.",
        "fi": "Kuten Laskupyramidi, mutta kolme korttia käännetään kerralla ja kierroksia on rajattomasti; peli "
        "päättyy, kun koko kierroksella ei pelattu yhtään varapakan korttia.",
        "pl": "Jak Piramida rachunkowa, lecz odkrywa się po trzy karty, a przejść jest bez limitu; gra kończy się po "
        "pełnym przejściu, w którym nie zagrano żadnej karty ze stosu.",
        "nb": "Som Regnepyramide, men tre kort snus om gangen, og antallet omganger er ubegrenset; spillet slutter "
        "etter en hel omgang der ingen kort fra kortstokken ble spilt.",
    },
    "arcydzielo": {
        "en": "All face up round a column of four aces; all four suits are built the same way, up or down, as chosen "
        "once after the deal; the outer card of a half row (our reading) goes to its suit or onto the next card of its "
        "suit, up or down; an empty main half row takes any playable card, an auxiliary one stays empty; the cellar "
        "holds one card, locked in until an auxiliary half row is gone; won when all cards are on the foundations. "
        "Building on auxiliary half rows, and no king on an ace in the rows, are our reading.",
        "fi": "Kaikki kuvapuoli ylöspäin neljän ässän pylvään ympärillä; kaikki neljä maata rakennetaan samaan "
        "suuntaan, ylös tai alas, joka valitaan kerran jaon jälkeen; puolirivin uloin kortti (oma tulkintamme) siirtyy "
        "peruspinoonsa tai saman maan viereisen kortin päälle; tyhjään pääpuoliriviin saa siirtää minkä tahansa "
        "pelattavan kortin, apurivi jää tyhjäksi; kellariin mahtuu yksi kortti, joka on lukossa, kunnes yksi apurivi "
        "on poissa; peli on voitettu, kun kaikki kortit ovat peruspinoissa. Rakentaminen apuriveille ja se, ettei "
        "kuningasta panna riveissä ässälle, ovat oma tulkintamme.",
        "pl": "Wszystko odkryte wokół kolumny czterech asów; wszystkie kolory buduje się w tę samą stronę, w górę lub "
        "w dół, wybraną raz po rozłożeniu; skrajna zewnętrzna karta półrzędu (nasza interpretacja) idzie na swój kolor "
        "lub na sąsiednią kartę tego koloru; pusty główny półrząd przyjmuje dowolną grającą kartę, pomocniczy zostaje "
        "pusty; piwnica mieści jedną kartę, zamkniętą, dopóki nie zniknie któryś półrząd pomocniczy; wygrywa się, gdy "
        "wszystkie karty trafią na karty podstawowe. Budowanie na półrzędach pomocniczych i to, że w rzędach król "
        "nie idzie na asa, to nasza interpretacja.",
        "nb": "Alt ligger åpent rundt en søyle av fire ess; alle fire farger bygges samme vei, opp eller ned, valgt én "
        "gang etter utdelingen; det ytterste kortet i en halvrad (vår tolkning) går til grunnmuren i sin farge eller "
        "på nabokortet i samme farge; en tom hovedhalvrad tar et hvilket som helst spillbart kort, en hjelperad "
        "forblir tom; kjelleren rommer ett kort, innelåst til en hjelperad er borte; vunnet når alle kort ligger på "
        "grunnmuren. At man bygger på hjelperader, og at kongen ikke legges på esset i radene, er vår tolkning.",
    },
    "nowy-domator": {
        "en": "As Masterpiece without a cellar: the card at the sixth place of the first row sets the rank of the four "
        "bases, and every empty half row takes any playable card; in the rows a king may lie on an ace (our reading); "
        "cards of that rank among the first five move to the base column (our reading); won when all cards are on the "
        "foundations.",
        "fi": "Kuten Mestariteos ilman kellaria: ensimmäisen rivin kuudennen paikan kortti määrää neljän pohjakortin "
        "arvon, ja jokaiseen tyhjään puoliriviin saa siirtää minkä tahansa pelattavan kortin; riveissä kuningas käy "
        "ässälle (oma tulkintamme); viiden ensimmäisen joukossa olevat saman arvon kortit siirtyvät pohjapylvääseen "
        "(oma tulkintamme); peli on voitettu, kun kaikki kortit ovat peruspinoissa.",
        "pl": "Jak Arcydzieło, lecz bez piwnicy: karta na szóstym miejscu pierwszego rzędu wyznacza wartość czterech "
        "kart podstawowych, a każdy pusty półrząd przyjmuje dowolną grającą kartę; w rzędach król może leżeć na asie "
        "(nasza interpretacja); karty tej wartości spośród pierwszych pięciu przechodzą do kolumny podstawowej (nasza "
        "interpretacja); wygrywa się, gdy wszystkie karty trafią na karty podstawowe.",
        "nb": "Som Mesterverk uten kjeller: kortet på sjette plass i første rad bestemmer verdien på de fire "
        "grunnkortene, og hver tom halvrad tar et hvilket som helst spillbart kort; i radene kan kongen ligge på esset "
        "(vår tolkning); kort av den verdien blant de fem første flyttes til grunnsøylen (vår tolkning); vunnet når "
        "alle kort ligger på grunnmuren.",
    },
    "wiezniowie": {
        "en": "As New Stay-at-Home, but the first card dealt sets the rank of the four bases; in the rows a king may "
        "lie on an ace (our reading); won when all cards are on the foundations.",
        "fi": "Kuten Uusi kotihiiri, mutta ensimmäinen jaettu kortti määrää neljän pohjakortin arvon; riveissä "
        "kuningas käy ässälle (oma tulkintamme); peli on voitettu, kun kaikki kortit ovat peruspinoissa.",
        "pl": "Jak Nowy domator, lecz wartość czterech kart podstawowych wyznacza pierwsza rozdana karta; w rzędach "
        "król może leżeć na asie (nasza interpretacja); wygrywa się, gdy wszystkie karty trafią na karty "
        "podstawowe.",
        "nb": "Som Ny hjemmesitter, men det første kortet som legges ut, bestemmer verdien på de fire grunnkortene; i "
        "radene kan kongen ligge på esset (vår tolkning); vunnet når alle kort ligger på grunnmuren.",
    },
    "wiezniowie-12": {
        "en": "As Prisoners in four rows of twelve, six cards left and six right of the bases; about 2 deals of 100 "
        "can be won, and that is the game; in the rows a king may lie on an ace (our reading); won when all cards are "
        "on the foundations.",
        "fi": "Kuten Vangit neljässä kahdentoista rivissä, kuusi korttia pohjakorttien vasemmalla ja kuusi oikealla "
        "puolella; noin 2 jakoa sadasta voidaan voittaa, ja sellainen peli on; riveissä kuningas käy ässälle (oma "
        "tulkintamme); peli on voitettu, kun kaikki kortit ovat peruspinoissa.",
        "pl": "Jak Więźniowie, lecz w czterech rzędach po dwanaście, sześć kart na lewo i sześć na prawo od "
        "podstawowych; wygrać można około 2 rozdań na 100 i taka to gra; w rzędach król może leżeć na asie (nasza "
        "interpretacja); wygrywa się, gdy wszystkie karty trafią na karty podstawowe.",
        "nb": "Som Fanger i fire rader på tolv, seks kort til venstre og seks til høyre for grunnkortene; omtrent 2 av "
        "100 kabaler kan vinnes, og slik er spillet; i radene kan kongen ligge på esset (vår tolkning); vunnet når "
        "alle kort ligger på grunnmuren.",
    },
    "piwnica": {
        "en": "As Masterpiece, but the four cards dealt to the middle are the bases, whatever their ranks, and nothing "
        "is built on auxiliary half rows; of several in one suit the player picks one, the others are free cards, and "
        "a place freed so takes a base, any card, for a suit that has none; won when all cards are on the foundations. "
        "Direction chosen after the deal, free cards into the cellar or an empty main half row, any rank for the new "
        "base, and a king on an ace are our reading.",
        "fi": "Kuten Mestariteos, mutta keskelle jaetut neljä korttia ovat pohjakortteja, mitä arvoja ne ovatkin, eikä "
        "apuriveille rakenneta; jos maa toistuu, pelaaja valitsee yhden, muut ovat vapaita kortteja, ja näin "
        "vapautuneeseen paikkaan pannaan pohjakortti, mikä tahansa, maalle, jolta se puuttuu; peli on voitettu, kun "
        "kaikki kortit ovat peruspinoissa. Suunnan valinta jaon jälkeen, vapaat kortit kellariin tai tyhjään "
        "pääriviin, uuden pohjakortin vapaa arvo ja kuningas ässälle ovat oma tulkintamme.",
        "pl": "Jak Arcydzieło, lecz kartami podstawowymi są cztery karty rozdane do środka, dowolnej wartości, a na "
        "półrzędach pomocniczych się nie buduje; z kilku w jednym kolorze gracz wybiera jedną, pozostałe są wolne, a "
        "zwolnione miejsce przyjmuje kartę podstawową, dowolną, koloru, który jej nie ma; wygrywa się, gdy wszystkie "
        "karty zostaną zebrane na podstawowe. Wybór kierunku po rozłożeniu, wolne karty do piwnicy lub pustego "
        "głównego półrzędu, dowolna wartość nowej podstawy i król na asie to nasza interpretacja.",
        "nb": "Som Mesterverk, men de fire kortene som legges i midten, er grunnkort uansett verdi, og det bygges ikke "
        "på hjelperader; av flere i samme farge velger spilleren ett, de andre er frie kort, og en plass som blir fri "
        "slik, tar et grunnkort, hvilket som helst, for en farge som mangler det; vunnet når alle kort ligger på "
        "grunnmuren. Retning valgt etter utdelingen, frie kort i kjelleren eller en tom hovedhalvrad, fri verdi på "
        "nytt grunnkort og konge på ess er vår tolkning.",
    },
    "ulubiony": {
        "en": "Eight half rows round four bases of the first card's rank, and a vertical row at each outer side; the "
        "direction is chosen before the deal is finished; a vertical row plays from its lower end and stays empty once "
        "gone; once a game both are reversed together and play from the upper end; won when all cards are on the "
        "foundations. Nothing built on vertical rows and a king on an ace are our reading.",
        "fi": "Kahdeksan puoliriviä neljän pohjakortin ympärillä, joiden arvon määrää ensimmäinen kortti, ja "
        "kummallakin laidalla pystyrivi; suunta valitaan ennen kuin jako on valmis; pystyriviä pelataan alapäästä ja "
        "se jää tyhjäksi; kerran pelissä molemmat käännetään yhdessä, ja sitten pelataan yläpäästä; peli on voitettu, "
        "kun kaikki kortit ovat peruspinoissa. Se, ettei pystyriveille rakenneta, ja kuningas ässälle ovat oma "
        "tulkintamme.",
        "pl": "Osiem półrzędów wokół czterech kart podstawowych o wartości pierwszej karty i po jednym pionowym "
        "rzędzie z zewnątrz; kierunek wybiera się, zanim rozda się wszystko; z pionowego rzędu gra się od dołu i "
        "opróżniony zostaje pusty; raz w grze oba odwraca się razem i gra od góry; wygrywa się, gdy wszystkie karty "
        "zostaną zebrane na podstawowe. To, że na pionowych rzędach się nie buduje, i król na asie to nasza "
        "interpretacja.",
        "nb": "Åtte halvrader rundt fire grunnkort av det første kortets verdi, og en loddrett rad ytterst på hver "
        "side; retningen velges før utdelingen er ferdig; en loddrett rad spilles nedenfra og forblir tom når den er "
        "borte; én gang i spillet snus begge samtidig og spilles ovenfra; vunnet når alle kort ligger på grunnmuren. "
        "At det ikke bygges på loddrette rader, og konge på ess, er vår tolkning.",
    },
}
