"""Polish: the rules of a game on a sheet to be printed."""

MESSAGES = {
    "sheet.title": "Zasady",
    "sheet.link": "Zasady na jednej kartce, do wydruku",
    "sheet.example": "Przykład rozdania",
    "sheet.piles": "Poniżej, od lewej",
    "sheet.goal": "Cel",
    "sheet.laying": "Rozkład",
    "sheet.playing": "Przebieg gry",
    "sheet.ending": "Koniec gry",
    "sheet.scoring": "Wynik",
    "sheet.goal.pyramid": "Rozebrać piramidę. To, co zostanie w stosie i w zrzucie, nie ma znaczenia.",
    "sheet.goal.all": "Zdjąć wszystkie karty, także te ze stosu i ze zrzutu.",
    "sheet.deck.whole": "Jedna talia, kart: {n}.",
    "sheet.deck.part": "Z jednej talii tylko karty od asa do {highest}; kart: {n}.",
    "sheet.deck.jokers": "Dżokery w talii: {n}.",
    "sheet.rows": "Piramida, rzędy: {rows}, karty: {n}. Jedna karta, pod nią dwie i tak dalej; każdy rząd przykrywa "
    "do połowy rząd nad nim.",
    "sheet.face.up": "Wszystkie karty piramidy leżą odkryte.",
    "sheet.face.down": "Przykryte karty leżą koszulką do góry; kartę odkrywa się, gdy nic na niej nie leży.",
    "sheet.face.either": "Przykryte karty leżą koszulką do góry albo wszystkie odkryte: trzeba to ustalić wcześniej.",
    "sheet.apex": "Na szczycie kładzie się z góry króla pik; pozostałe karty się tasuje.",
    "sheet.stock": "Pozostałe karty ({n}) to stos, zakryty, pod piramidą po lewej. Zrzut leży tuż na prawo od niego, "
    "stos kart zdjętych po prawej.",
    "sheet.free": "Karta jest wolna, gdy nie leży na niej żadna inna.",
    "sheet.pair": "Dwie wolne karty o sumie {total} odchodzą razem na stos kart zdjętych. Stamtąd nic nie wraca.",
    "sheet.worth": "As 1, walet 11, dama 12, król 13; pozostałe karty tyle, ile pokazują.",
    "sheet.single": "Wolna karta o wartości {total} odchodzi sama.",
    "sheet.overlap": "Karta może też odejść razem z jedyną kartą, która ją jeszcze przykrywa.",
    "sheet.jokers": "Dżoker tworzy parę z każdą wolną kartą, która sama nie ma wartości {total}, albo z drugim "
    "dżokerem.",
    "sheet.draw.1": "Ze stosu odkrywa się po jednej karcie.",
    "sheet.draw.3": "Ze stosu odkrywa się po trzy karty na zrzut; w grze jest karta na wierzchu, potem następna pod "
    "nią.",
    "sheet.turned.held": "Właśnie odkryta karta jest w grze i może też tworzyć parę z wierzchem zrzutu; trafia na "
    "zrzut, gdy odkrywa się następną.",
    "sheet.turned.laid": "Odkryta karta trafia na zrzut; w grze jest tylko karta na jego wierzchu.",
    "sheet.turn_when.always": "Kartę wolno odkryć w każdej chwili.",
    "sheet.turn_when.stuck": "Kartę wolno odkryć tylko wtedy, gdy nic nie może odejść.",
    "sheet.passes.one": "Stos przechodzi się jeden raz.",
    "sheet.passes.several": "Przejścia przez stos: {n}. Zrzut odwraca się w całości, kolejność zostaje.",
    "sheet.passes.unlimited": "Stos wolno przechodzić dowolnie wiele razy: zrzut odwraca się w całości, kolejność "
    "zostaje.",
    "sheet.last-turned": "Gdy stos się skończy, ostatnia odkryta karta zostaje w grze.",
    "sheet.won.pyramid": "Wygrana, gdy piramida jest rozebrana.",
    "sheet.won.all": "Wygrana, gdy wszystkie karty zostały zdjęte.",
    "sheet.lost": "Przegrana, gdy nic nie może odejść i żadnej karty nie można odkryć.",
    "sheet.idle": "Gra kończy się też po pełnym przejściu, w którym nie zagrano żadnej karty ze stosu.",
    "sheet.score.left.pyramid": "Karty pozostałe w piramidzie; 0 to wynik doskonały.",
    "sheet.score.left.all": "Wszystkie pozostałe karty; 0 to wynik doskonały.",
    "sheet.score.points": "Albo punkty: 5 za każdą parę i każdą kartę, która odchodzi sama, oraz od 25 do 500 za "
    "każdy rozebrany rząd, więcej ku szczytowi.",
    "sheet.score.par": "Albo par w sześciu grach: 50, 35 lub 20 za piramidę rozebraną w pierwszym, drugim lub trzecim "
    "przejściu, minus karty pozostałe w ręku; w przeciwnym razie minus wszystkie pozostałe. 0 w sześciu grach to par.",
    "sheet.rows.goal": "Zebrać wszystkie 52 karty na czterech kartach podstawowych, po 13 kart każdego koloru.",
    "sheet.rows.laid.rows-5-4": "Wszystkie 52 karty odkryte: cztery karty podstawowe w kolumnie pośrodku, przy każdej "
    "z lewej i z prawej półrząd z pięciu kart; na dole dwa półrzędy pomocnicze po cztery karty.",
    "sheet.rows.laid.rows-6": "Wszystkie 52 karty odkryte: cztery karty podstawowe w kolumnie pośrodku, przy każdej z "
    "lewej i z prawej półrząd z sześciu kart.",
    "sheet.rows.laid.rows-columns": "Wszystkie 52 karty odkryte: cztery karty podstawowe w kolumnie pośrodku, po "
    "każdej stronie trzy półrzędy po pięć kart i jeden z czterech, a na zewnątrz po pionowym rzędzie z pięciu kart.",
    "sheet.rows.bases.aces": "Kartami podstawowymi są cztery asy.",
    "sheet.rows.bases.first": "Pierwsza rozdana karta wyznacza wartość kart podstawowych: cztery karty tej wartości, "
    "w miarę jak się pojawiają.",
    "sheet.rows.bases.nth": "Karta na {n}. miejscu pierwszego rzędu wyznacza wartość kart podstawowych: cztery karty "
    "tej wartości, w miarę jak się pojawiają.",
    "sheet.rows.first-five": "Karty tej wartości spośród pierwszych {n} też przechodzą do kolumny podstawowej.",
    "sheet.rows.bases.centre": "Cztery karty rozdane do środka są podstawowe, dowolnej wartości. Z kilku w jednym "
    "kolorze wybiera się jedną jako podstawową.",
    "sheet.rows.cellar-lies": "Piwnica, na jedną kartę, leży pod kartami podstawowymi, między półrzędami pomocniczymi.",
    "sheet.rows.direction.after": "Raz, po rozłożeniu, wybiera się, czy wszystkie cztery kolory buduje się w górę, "
    "czy w dół.",
    "sheet.rows.direction.before": "Raz, zanim rozda się wszystkie karty, wybiera się, czy wszystkie cztery kolory "
    "buduje się w górę, czy w dół.",
    "sheet.rows.corner": "Kolor buduje się dalej za rogiem, od króla do asa lub od asa do króla, aż zbierze się "
    "wszystkie 13 kart. Stamtąd nic nie wraca.",
    "sheet.rows.end": "Grająca jest skrajna zewnętrzna karta półrzędu; przekłada się po jednej karcie.",
    "sheet.rows.build": "Idzie na swój kolor albo na inną grającą kartę tego samego koloru, o jeden wyższą lub niższą.",
    "sheet.rows.round": "W rzędach król może leżeć na asie, a as na królu.",
    "sheet.rows.not-round": "W rzędach król nie idzie na asa ani as na króla.",
    "sheet.rows.onto-auxiliary": "Na półrzędach pomocniczych buduje się jak na innych.",
    "sheet.rows.not-onto-auxiliary": "Na półrzędach pomocniczych się nie buduje.",
    "sheet.rows.empty-all": "Pusty półrząd przyjmuje dowolną grającą kartę.",
    "sheet.rows.empty-some": "Pusty główny półrząd przyjmuje dowolną grającą kartę; pomocniczy zostaje pusty.",
    "sheet.rows.cellar": "Do pustej piwnicy wolno odłożyć dowolną grającą kartę. Jest tam zamknięta, dopóki nie "
    "zniknie któryś półrząd pomocniczy. Nic się na niej nie buduje.",
    "sheet.rows.columns": "W rzędzie pionowym gra karta od dołu; opróżniony zostaje pusty. Raz w grze oba wolno razem "
    "odwrócić: wtedy gra karta od góry.",
    "sheet.rows.onto-columns": "Na rzędach pionowych się buduje.",
    "sheet.rows.not-onto-columns": "Na rzędach pionowych się nie buduje.",
    "sheet.rows.free": "Pozostałe karty środka są wolne: mogą iść na swój kolor, na rząd, do piwnicy lub na pusty "
    "główny półrząd. Nic się na nich nie buduje.",
    "sheet.rows.new-base": "Zwolnione tak miejsce przyjmuje kartę podstawową, dowolną, koloru, który jej nie ma.",
    "sheet.rows.won": "Wygrana, gdy wszystkie karty leżą na podstawowych.",
    "sheet.rows.lost": "Przegrana, gdy nie ma już ruchu, który by coś zmienił.",
    "sheet.rows.score": "Karty zebrane na podstawowych; 52 to wynik doskonały. Albo karty jeszcze niezebrane; wtedy 0.",
    "sheet.source.fi": "Źródło: fiński tekst „Pyramidi pasianssi”.",
    "sheet.source.nb": "Źródło: norweski tekst „Avslappet Pyramide kabal”.",
    "sheet.source.en": "Źródło: angielski tekst „Pyramid” wraz z „Adjusting the difficulty”.",
    "sheet.source.pl": "Źródło: polskie teksty „Arcydzieło”, „Piwnica” i „Ulubiony”.",
    "sheet.source.name-only": "Źródło: tekst fiński i norweski podają tylko nazwę tej gry.",
    "sheet.ours": "„Nasza interpretacja” oznacza to, co źródła pozostawiają otwarte.",
}
