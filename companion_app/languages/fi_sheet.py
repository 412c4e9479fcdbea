"""Finnish: the rules of a game on a sheet to be printed."""

MESSAGES = {
    "sheet.title": "Säännöt",
    "sheet.link": "Säännöt yhdellä tulostettavalla sivulla",
    "sheet.example": "Esimerkki jaosta",
    "sheet.piles": "Alla vasemmalta",
    "sheet.goal": "Tavoite",
    "sheet.laying": "Asettelu",
    "sheet.playing": "Pelaaminen",
    "sheet.ending": "Pelin loppu",
    "sheet.scoring": "Tulos",
    "sheet.goal.pyramid": "Tyhjennä pyramidi. Varapakkaan ja poistopakkaan jäävillä korteilla ei ole väliä.",
    "sheet.goal.all": "Pelaa pois kaikki kortit, myös varapakan ja poistopakan.",
    "sheet.deck.whole": "Yksi pakka, {n} korttia.",
    "sheet.deck.part": "Yhdestä pakasta vain kortit ässästä arvoon {highest}: {n} korttia.",
    "sheet.deck.jokers": "Jokereita pakassa: {n}.",
    "sheet.rows": "Pyramidi, jossa on {rows} riviä ja {n} korttia: yksi kortti, sen alla kaksi ja niin edelleen, "
    "kukin rivi puoliksi ylemmän päällä.",
    "sheet.face.up": "Kaikki pyramidin kortit ovat kuvapuoli ylöspäin.",
    "sheet.face.down": "Peitetyt kortit ovat kuvapuoli alaspäin; kortti käännetään, kun sen päällä ei ole mitään.",
    "sheet.face.either": "Peitetyt kortit ovat kuvapuoli alaspäin, tai kaikki ylöspäin: sovi etukäteen.",
    "sheet.apex": "Patakuningas asetetaan valmiiksi huipulle; muut sekoitetaan.",
    "sheet.stock": "Loput {n} korttia ovat varapakka, kuvapuoli alaspäin pyramidin alla vasemmalla. Poistopakka on "
    "heti sen oikealla puolella, peruspino oikealla.",
    "sheet.free": "Kortti on vapaa, kun sen päällä ei ole toista korttia.",
    "sheet.pair": "Kaksi vapaata korttia, joiden summa on {total}, siirtyy peruspinoon. Sieltä ei palata.",
    "sheet.worth": "Ässä 1, jätkä 11, kuningatar 12, kuningas 13; muut numeronsa mukaan.",
    "sheet.single": "Vapaa kortti, jonka arvo on {total}, poistuu yksin.",
    "sheet.overlap": "Kortti voi poistua myös yhdessä ainoan sitä vielä peittävän kortin kanssa.",
    "sheet.jokers": "Jokeri käy pariksi mille tahansa vapaalle kortille, jonka arvo ei ole {total}, tai toiselle "
    "jokerille.",
    "sheet.draw.1": "Varapakasta käännetään yksi kortti kerrallaan.",
    "sheet.draw.3": "Varapakasta käännetään kolme korttia kerralla poistopakkaan; sen päällimmäinen on pelissä, "
    "sitten seuraava sen alta.",
    "sheet.turned.held": "Juuri käännetty kortti on pelissä ja käy pariksi myös poistopakan päällimmäiselle; se menee "
    "poistopakkaan, kun seuraava käännetään.",
    "sheet.turned.laid": "Käännetty kortti pannaan poistopakkaan; vain sen päällimmäinen on pelissä.",
    "sheet.turn_when.always": "Kortin saa kääntää milloin vain.",
    "sheet.turn_when.stuck": "Kortin saa kääntää vain, kun mitään ei voi poistaa.",
    "sheet.passes.one": "Varapakka käydään läpi kerran.",
    "sheet.passes.several": "Varapakan saa käydä läpi {n} kertaa: poistopakka käännetään kokonaisena, järjestys "
    "säilyy.",
    "sheet.passes.unlimited": "Varapakan saa käydä läpi miten monta kertaa tahansa: poistopakka käännetään "
    "kokonaisena, järjestys säilyy.",
    "sheet.last-turned": "Kun varapakka on lopussa, viimeksi käännetty kortti jää peliin.",
    "sheet.won.pyramid": "Peli on voitettu, kun pyramidi on tyhjä.",
    "sheet.won.all": "Peli on voitettu, kun kaikki kortit ovat poissa.",
    "sheet.lost": "Peli on hävitty, kun mitään ei voi poistaa eikä korttia kääntää.",
    "sheet.idle": "Peli päättyy myös, kun koko kierroksella ei pelattu yhtään varapakan korttia.",
    "sheet.score.left.pyramid": "Pyramidiin jääneet kortit; 0 on täydellinen.",
    "sheet.score.left.all": "Kaikki jääneet kortit; 0 on täydellinen.",
    "sheet.score.points": "Tai pisteet: 5 kustakin parista ja yksin poistuvasta kortista sekä 25–500 kustakin "
    "tyhjennetystä rivistä, huippua kohti enemmän.",
    "sheet.score.par": "Tai par kuudessa pelissä: 50, 35 tai 20, kun pyramidi on tyhjä ensimmäisellä, toisella tai "
    "kolmannella kierroksella, miinus käteen jääneet kortit; muuten miinus kaikki jääneet. Kuudesta pelistä 0 on par.",
    "sheet.rows.goal": "Siirrä kaikki 52 korttia neljään peruspinoon, yhteen kutakin maata, 13 korttia kuhunkin.",
    "sheet.rows.laid.rows-5-4": "Kaikki 52 korttia kuvapuoli ylöspäin: neljä pohjakorttia pylväänä keskellä, kunkin "
    "vasemmalla ja oikealla puolella viiden kortin puolirivi; alimpana kaksi neljän kortin apuriviä.",
    "sheet.rows.laid.rows-6": "Kaikki 52 korttia kuvapuoli ylöspäin: neljä pohjakorttia pylväänä keskellä, kunkin "
    "vasemmalla ja oikealla puolella kuuden kortin puolirivi.",
    "sheet.rows.laid.rows-columns": "Kaikki 52 korttia kuvapuoli ylöspäin: neljä pohjakorttia pylväänä keskellä, "
    "kummallakin puolella kolme viiden kortin puoliriviä ja yksi neljän, ja laidoilla viiden kortin pystyrivit.",
    "sheet.rows.bases.aces": "Pohjakortit ovat neljä ässää.",
    "sheet.rows.bases.first": "Ensimmäinen jaettu kortti määrää pohjakorttien arvon: neljä sen arvoista korttia sitä "
    "mukaa kuin ne tulevat.",
    "sheet.rows.bases.nth": "Ensimmäisen rivin {n}. paikan kortti määrää pohjakorttien arvon: neljä sen arvoista "
    "korttia sitä mukaa kuin ne tulevat.",
    "sheet.rows.first-five": "Myös {n} ensimmäisen joukossa olevat saman arvon kortit siirtyvät pohjakorteiksi.",
    "sheet.rows.bases.centre": "Keskelle jaetut neljä korttia ovat pohjakortteja, mitä arvoja ne ovatkin. Jos maa "
    "toistuu, valitse yksi sen pohjakortiksi.",
    "sheet.rows.cellar-lies": "Kellari, yhden kortin paikka, on pohjakorttien alla apurivien välissä.",
    "sheet.rows.direction.after": "Valitse kerran, jaon jälkeen, rakennetaanko kaikki neljä peruspinoa ylös vai alas.",
    "sheet.rows.direction.before": "Valitse kerran, ennen kuin jako on valmis, rakennetaanko kaikki neljä peruspinoa "
    "ylös vai alas.",
    "sheet.rows.corner": "Peruspino jatkuu kulman ympäri, kuninkaasta ässään tai ässästä kuninkaaseen, kunnes maan "
    "kaikki 13 korttia ovat siinä. Sieltä ei palata.",
    "sheet.rows.end": "Puolirivin uloin kortti on pelattavissa; kortteja siirretään yksi kerrallaan.",
    "sheet.rows.build": "Se siirtyy peruspinoonsa tai toisen pelattavan saman maan kortin päälle, yhtä ylemmän tai "
    "alemman.",
    "sheet.rows.round": "Riveissä kuningas käy ässälle ja ässä kuninkaalle.",
    "sheet.rows.not-round": "Riveissä kuningas ei käy ässälle eikä ässä kuninkaalle.",
    "sheet.rows.onto-auxiliary": "Apuriveille rakennetaan kuten muillekin.",
    "sheet.rows.not-onto-auxiliary": "Apuriveille ei rakenneta.",
    "sheet.rows.empty-all": "Tyhjään puoliriviin saa siirtää minkä tahansa pelattavan kortin.",
    "sheet.rows.empty-some": "Tyhjään pääpuoliriviin saa siirtää minkä tahansa pelattavan kortin; apurivi jää "
    "tyhjäksi.",
    "sheet.rows.cellar": "Tyhjään kellariin saa panna minkä tahansa pelattavan kortin. Se on siellä lukossa, kunnes "
    "toinen apurivi on poissa. Sen päälle ei rakenneta.",
    "sheet.rows.columns": "Pystyrivistä pelataan alapäästä; tyhjänä se jää tyhjäksi. Kerran pelissä molemmat saa "
    "kääntää yhdessä: sitten pelataan yläpäästä.",
    "sheet.rows.onto-columns": "Pystyriveille rakennetaan.",
    "sheet.rows.not-onto-columns": "Pystyriveille ei rakenneta.",
    "sheet.rows.free": "Muut keskikortit ovat vapaita: ne voi siirtää peruspinoon, riviin, kellariin tai tyhjään "
    "pääpuoliriviin. Niiden päälle ei rakenneta.",
    "sheet.rows.new-base": "Näin vapautuneeseen paikkaan pannaan pohjakortti, mikä tahansa, maalle, jolta se puuttuu.",
    "sheet.rows.won": "Peli on voitettu, kun kaikki kortit ovat peruspinoissa.",
    "sheet.rows.lost": "Peli on hävitty, kun jäljellä ei ole siirtoa, joka muuttaisi mitään.",
    "sheet.rows.score": "Peruspinoissa olevat kortit; 52 on täydellinen. Tai niiden ulkopuolella olevat; silloin 0 on.",
    "sheet.source.fi": "Lähde: suomenkielinen teksti ”Pyramidi pasianssi”.",
    "sheet.source.nb": "Lähde: norjankielinen teksti ”Avslappet Pyramide kabal”.",
    "sheet.source.en": "Lähde: englanninkielinen teksti ”Pyramid” ja ”Adjusting the difficulty”.",
    "sheet.source.pl": "Lähde: puolankieliset tekstit ”Arcydzieło”, ”Piwnica” ja ”Ulubiony”.",
    "sheet.source.name-only": "Lähde: suomen- ja norjankielisessä tekstissä on tästä pelistä vain nimi.",
    "sheet.ours": "”Oma tulkintamme” merkitsee sitä, minkä lähteet jättävät avoimeksi.",
}
