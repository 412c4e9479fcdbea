"""English: the rules of a game on a sheet to be printed."""

MESSAGES = {
    "sheet.title": "Rules",
    "sheet.link": "The rules on one sheet, to be printed",
    "sheet.example": "An example of a deal",
    "sheet.piles": "Below, from the left",
    "sheet.goal": "Goal",
    "sheet.laying": "How it is laid",
    "sheet.playing": "How it is played",
    "sheet.ending": "The end",
    "sheet.scoring": "Score",
    "sheet.goal.pyramid": "Clear the pyramid. What is left in the stock and the waste does not matter.",
    "sheet.goal.all": "Play off all cards, those of the stock and the waste too.",
    "sheet.deck.whole": "One deck of {n} cards.",
    "sheet.deck.part": "Of one deck only the {n} cards from ace to {highest}.",
    "sheet.deck.jokers": "Jokers in the deck: {n}.",
    "sheet.rows": "A pyramid of {rows} rows and {n} cards: one card, below it two, and so on, each row half over the "
    "row above.",
    "sheet.face.up": "All cards of the pyramid lie face up.",
    "sheet.face.down": "Covered cards lie face down; a card is turned up once nothing lies on it.",
    "sheet.face.either": "Covered cards lie face down, or all lie face up: agree beforehand.",
    "sheet.apex": "The king of spades is laid at the apex beforehand; the others are shuffled.",
    "sheet.stock": "The other {n} cards are the stock, face down below the pyramid on the left. The waste lies "
    "directly to its right, the foundation on the right.",
    "sheet.free": "A card is free when no other lies on it.",
    "sheet.pair": "Two free cards that make {total} together leave for the foundation. Nothing comes back from there.",
    "sheet.worth": "Ace 1, jack 11, queen 12, king 13; the others what they show.",
    "sheet.single": "A free card that is {total} by itself leaves alone.",
    "sheet.overlap": "A card may also leave together with the one card that still covers it.",
    "sheet.jokers": "A joker pairs with any free card that is not itself {total}, or with another joker.",
    "sheet.draw.1": "Cards are turned from the stock one at a time.",
    "sheet.draw.3": "Cards are turned from the stock three at a time onto the waste; its uppermost card is in play, "
    "then the next below it.",
    "sheet.turned.held": "The card just turned is in play and may also pair with the top of the waste; it goes onto "
    "the waste when the next one is turned.",
    "sheet.turned.laid": "A turned card is laid on the waste; only its uppermost card is in play.",
    "sheet.turn_when.always": "A card may be turned at any time.",
    "sheet.turn_when.stuck": "A card may be turned only when nothing can leave.",
    "sheet.passes.one": "The stock is gone through once.",
    "sheet.passes.several": "The stock may be gone through {n} times: the waste is turned over as one block, its "
    "order kept.",
    "sheet.passes.unlimited": "The stock may be gone through as often as you like: the waste is turned over as one "
    "block, its order kept.",
    "sheet.last-turned": "When the stock is used up, the card turned last stays in play.",
    "sheet.won.pyramid": "Won when the pyramid is cleared.",
    "sheet.won.all": "Won when all cards have left.",
    "sheet.lost": "Lost when nothing can leave and no card can be turned.",
    "sheet.idle": "It also ends after a full pass in which no card of the stock was played.",
    "sheet.score.left.pyramid": "Cards left in the pyramid; 0 is perfect.",
    "sheet.score.left.all": "All cards left; 0 is perfect.",
    "sheet.score.points": "Or points: 5 for each pair and each card that leaves alone, and 25 to 500 for each row "
    "cleared, more towards the apex.",
    "sheet.score.par": "Or par over six games: 50, 35 or 20 for a pyramid cleared in the first, second or third pass, "
    "less the cards left in hand; else less all cards left. 0 over six games is par.",
    "sheet.rows.goal": "Bring all 52 cards onto four foundations, one for each suit, 13 cards each.",
    "sheet.rows.laid.rows-5-4": "All 52 cards face up: four bases in a column in the middle, beside each of them half "
    "rows of five cards on the left and on the right; below, two auxiliary half rows of four.",
    "sheet.rows.laid.rows-6": "All 52 cards face up: four bases in a column in the middle, beside each of them half "
    "rows of six cards on the left and on the right.",
    "sheet.rows.laid.rows-columns": "All 52 cards face up: four bases in a column in the middle, beside them on each "
    "side three half rows of five cards and one of four, and outermost on each side a vertical row of five.",
    "sheet.rows.bases.aces": "The bases are the four aces.",
    "sheet.rows.bases.first": "The first card dealt sets the rank of the bases: the four cards of that rank, as they "
    "come.",
    "sheet.rows.bases.nth": "The card at place {n} of the first row sets the rank of the bases: the four cards of "
    "that rank, as they come.",
    "sheet.rows.first-five": "Cards of that rank among the first {n} move to the bases too.",
    "sheet.rows.bases.centre": "The four cards dealt to the middle are the bases, whatever their ranks. Of several in "
    "one suit you choose one as its base.",
    "sheet.rows.cellar-lies": "The cellar, for one card, lies below the bases between the auxiliary half rows.",
    "sheet.rows.direction.after": "Choose once, after the deal, whether all four foundations go up or down.",
    "sheet.rows.direction.before": "Choose once, before the deal is finished, whether all four foundations go up or "
    "down.",
    "sheet.rows.corner": "A foundation goes round the corner, from king to ace or from ace to king, until all 13 "
    "cards of its suit lie there. Nothing comes back from it.",
    "sheet.rows.end": "The outer card of a half row is playable; one card moves at a time.",
    "sheet.rows.build": "It goes onto its foundation, or onto another playable card of its suit, one rank higher or "
    "lower.",
    "sheet.rows.round": "In the rows a king may lie on an ace, and an ace on a king.",
    "sheet.rows.not-round": "In the rows no king lies on an ace, and no ace on a king.",
    "sheet.rows.onto-auxiliary": "Auxiliary half rows are built on like the others.",
    "sheet.rows.not-onto-auxiliary": "Nothing is built on auxiliary half rows.",
    "sheet.rows.empty-all": "Any playable card may go into an empty half row.",
    "sheet.rows.empty-some": "Any playable card may go into an empty main half row; an auxiliary one stays empty.",
    "sheet.rows.cellar": "Any playable card may go into the empty cellar. It is locked in there until one of the "
    "auxiliary half rows is gone. Nothing is built on it.",
    "sheet.rows.columns": "Of a vertical row the lower end is playable; gone, it stays empty. Once in the game both "
    "may be reversed together: then the upper end is playable.",
    "sheet.rows.onto-columns": "Vertical rows are built on.",
    "sheet.rows.not-onto-columns": "Nothing is built on vertical rows.",
    "sheet.rows.free": "The other centre cards are free: they may go to a foundation, onto a row, into the cellar or "
    "into an empty main half row. Nothing is built on them.",
    "sheet.rows.new-base": "A place that such a card left takes a base, any card, for a suit that has none.",
    "sheet.rows.won": "Won when all cards are on the foundations.",
    "sheet.rows.lost": "Lost when no move is left that changes anything.",
    "sheet.rows.score": "Cards on the foundations; 52 is perfect. Or cards off them; then 0 is.",
    "sheet.source.fi": "Source: the Finnish text “Pyramidi pasianssi”.",
    "sheet.source.nb": "Source: the Norwegian text “Avslappet Pyramide kabal”.",
    "sheet.source.en": "Source: the English text “Pyramid” with “Adjusting the difficulty”.",
    "sheet.source.pl": "Source: the Polish texts “Arcydzieło”, “Piwnica” and “Ulubiony”.",
    "sheet.source.name-only": "Source: the Finnish and the Norwegian text give only the name of this game.",
    "sheet.ours": "“Our reading” marks what the sources leave open.",
}
