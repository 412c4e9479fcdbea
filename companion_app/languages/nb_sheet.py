"""Norwegian (bokmål): the rules of a game on a sheet to be printed."""

MESSAGES = {
    "sheet.title": "Regler",
    "sheet.link": "Reglene på ett ark, til utskrift",
    "sheet.example": "Eksempel på en utdeling",
    "sheet.piles": "Nederst, fra venstre",
    "sheet.goal": "Mål",
    "sheet.laying": "Slik legges den",
    "sheet.playing": "Slik spilles den",
    "sheet.ending": "Slutten",
    "sheet.scoring": "Resultat",
    "sheet.goal.pyramid": "Rydd pyramiden. Det som blir igjen i kortstokken og avfallet, betyr ingenting.",
    "sheet.goal.all": "Spill bort alle kortene, også dem i kortstokken og avfallet.",
    "sheet.deck.whole": "Én kortstokk på {n} kort.",
    "sheet.deck.part": "Av én kortstokk bare de {n} kortene fra ess til {highest}.",
    "sheet.deck.jokers": "Jokere i kortstokken: {n}.",
    "sheet.rows": "En pyramide med {rows} rader og {n} kort: ett kort, under det to, og så videre; hver rad ligger "
    "halvt over raden ovenfor.",
    "sheet.face.up": "Alle kortene i pyramiden ligger med forsiden opp.",
    "sheet.face.down": "Dekkede kort ligger med baksiden opp; et kort snus når ingenting ligger på det.",
    "sheet.face.either": "Dekkede kort ligger med baksiden opp, eller alle med forsiden opp: bli enige på forhånd.",
    "sheet.apex": "Sparkongen legges på toppen på forhånd; de andre stokkes.",
    "sheet.stock": "De andre {n} kortene er kortstokken, med baksiden opp under pyramiden til venstre. Avfallet "
    "ligger rett til høyre for den, grunnmuren til høyre.",
    "sheet.free": "Et kort er eksponert når ikke noe annet kort ligger på det.",
    "sheet.pair": "To eksponerte kort som til sammen blir {total}, går til grunnmuren. Ingenting kommer tilbake "
    "derfra.",
    "sheet.worth": "Ess 1, knekt 11, dame 12, konge 13; de andre det de viser.",
    "sheet.single": "Et eksponert kort som er {total} alene, går alene.",
    "sheet.overlap": "Et kort kan også gå sammen med det eneste kortet som ennå dekker det.",
    "sheet.jokers": "En joker kan pares med et hvilket som helst eksponert kort som ikke selv er {total}, eller med "
    "en annen joker.",
    "sheet.draw.1": "Kort snus fra kortstokken ett om gangen.",
    "sheet.draw.3": "Kort snus fra kortstokken tre om gangen over på avfallet; det øverste der er i spill, så det "
    "neste under.",
    "sheet.turned.held": "Kortet som nettopp ble snudd, er i spill og kan også pares med det øverste på avfallet; det "
    "legges på avfallet når det neste snus.",
    "sheet.turned.laid": "Et snudd kort legges på avfallet; bare det øverste der er i spill.",
    "sheet.turn_when.always": "Et kort kan snus når som helst.",
    "sheet.turn_when.stuck": "Et kort kan bare snus når ingenting kan fjernes.",
    "sheet.passes.one": "Man går gjennom kortstokken én gang.",
    "sheet.passes.several": "Man kan gå gjennom kortstokken {n} ganger: avfallet snus samlet, rekkefølgen beholdes.",
    "sheet.passes.unlimited": "Man kan gå gjennom kortstokken så mange ganger man vil: avfallet snus samlet, "
    "rekkefølgen beholdes.",
    "sheet.last-turned": "Når kortstokken er brukt opp, er kortet som sist ble snudd, fortsatt i spill.",
    "sheet.won.pyramid": "Vunnet når pyramiden er ryddet.",
    "sheet.won.all": "Vunnet når alle kortene er borte.",
    "sheet.lost": "Tapt når ingenting kan fjernes og ingen kort kan snus.",
    "sheet.idle": "Spillet slutter også etter en hel omgang der ingen kort fra kortstokken ble spilt.",
    "sheet.score.left.pyramid": "Kort igjen i pyramiden; 0 er perfekt.",
    "sheet.score.left.all": "Alle kort som er igjen; 0 er perfekt.",
    "sheet.score.points": "Eller poeng: 5 for hvert par og hvert kort som går alene, og 25 til 500 for hver rad som "
    "ryddes, mer mot toppen.",
    "sheet.score.par": "Eller par over seks spill: 50, 35 eller 20 for en pyramide ryddet i første, andre eller "
    "tredje omgang, minus kort igjen på hånden; ellers minus alle kort som er igjen. 0 over seks spill er par.",
    "sheet.rows.goal": "Få alle 52 kortene over på grunnmuren, én bunke for hver farge med 13 kort.",
    "sheet.rows.laid.rows-5-4": "Alle 52 kort med forsiden opp: fire grunnkort i en søyle i midten, ved siden av "
    "hvert av dem halvrader på fem kort til venstre og til høyre; nederst to hjelperader på fire.",
    "sheet.rows.laid.rows-6": "Alle 52 kort med forsiden opp: fire grunnkort i en søyle i midten, ved siden av hvert "
    "av dem halvrader på seks kort til venstre og til høyre.",
    "sheet.rows.laid.rows-columns": "Alle 52 kort med forsiden opp: fire grunnkort i en søyle i midten, på hver side "
    "tre halvrader på fem kort og én på fire, og ytterst på hver side en loddrett rad på fem.",
    "sheet.rows.bases.aces": "Grunnkortene er de fire essene.",
    "sheet.rows.bases.first": "Det første kortet som legges ut, bestemmer verdien på grunnkortene: de fire kortene av "
    "den verdien, etter hvert som de kommer.",
    "sheet.rows.bases.nth": "Kortet på plass {n} i første rad bestemmer verdien på grunnkortene: de fire kortene av "
    "den verdien, etter hvert som de kommer.",
    "sheet.rows.first-five": "Kort av den verdien blant de første {n} flyttes også til grunnsøylen.",
    "sheet.rows.bases.centre": "De fire kortene som legges i midten, er grunnkort uansett verdi. Av flere i samme "
    "farge velger du ett som grunnkort.",
    "sheet.rows.cellar-lies": "Kjelleren, til ett kort, ligger under grunnkortene mellom hjelperadene.",
    "sheet.rows.direction.after": "Velg én gang, etter utdelingen, om alle fire farger bygges opp eller ned.",
    "sheet.rows.direction.before": "Velg én gang, før utdelingen er ferdig, om alle fire farger bygges opp eller ned.",
    "sheet.rows.corner": "En farge bygges videre rundt hjørnet, fra konge til ess eller fra ess til konge, til alle "
    "13 kort ligger der. Ingenting kommer tilbake derfra.",
    "sheet.rows.end": "Det ytterste kortet i en halvrad er spillbart; ett kort flyttes om gangen.",
    "sheet.rows.build": "Det går til grunnmuren i sin farge, eller på et annet spillbart kort i samme farge, én verdi "
    "høyere eller lavere.",
    "sheet.rows.round": "I radene kan kongen ligge på esset, og esset på kongen.",
    "sheet.rows.not-round": "I radene legges ikke kongen på esset, og ikke esset på kongen.",
    "sheet.rows.onto-auxiliary": "Det bygges på hjelperader som på de andre.",
    "sheet.rows.not-onto-auxiliary": "Det bygges ikke på hjelperader.",
    "sheet.rows.empty-all": "En tom halvrad tar et hvilket som helst spillbart kort.",
    "sheet.rows.empty-some": "En tom hovedhalvrad tar et hvilket som helst spillbart kort; en hjelperad forblir tom.",
    "sheet.rows.cellar": "Et hvilket som helst spillbart kort kan legges i den tomme kjelleren. Der er det innelåst "
    "til en av hjelperadene er borte. Det bygges ikke på det.",
    "sheet.rows.columns": "En loddrett rad spilles nedenfra; når den er borte, forblir den tom. Én gang i spillet kan "
    "begge snus samtidig: da spilles de ovenfra.",
    "sheet.rows.onto-columns": "Det bygges på de loddrette radene.",
    "sheet.rows.not-onto-columns": "Det bygges ikke på de loddrette radene.",
    "sheet.rows.free": "De andre kortene i midten er frie: de kan gå til grunnmuren, på en rad, i kjelleren eller i "
    "en tom hovedhalvrad. Det bygges ikke på dem.",
    "sheet.rows.new-base": "En plass som blir fri slik, tar et grunnkort, hvilket som helst, for en farge som mangler "
    "det.",
    "sheet.rows.won": "Vunnet når alle kort ligger på grunnmuren.",
    "sheet.rows.lost": "Tapt når det ikke finnes noe trekk som forandrer noe.",
    "sheet.rows.score": "Kort på grunnmuren; 52 er perfekt. Eller kort utenfor den; da er 0 det.",
    "sheet.source.fi": "Kilde: den finske teksten «Pyramidi pasianssi».",
    "sheet.source.nb": "Kilde: den norske teksten «Avslappet Pyramide kabal».",
    "sheet.source.en": "Kilde: den engelske teksten «Pyramid» med «Adjusting the difficulty».",
    "sheet.source.pl": "Kilde: de polske tekstene «Arcydzieło», «Piwnica» og «Ulubiony».",
    "sheet.source.name-only": "Kilde: den finske og den norske teksten gir bare navnet på dette spillet.",
    "sheet.ours": "«Vår tolkning» markerer det kildene lar stå åpent.",
}
