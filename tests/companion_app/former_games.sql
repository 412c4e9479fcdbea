BEGIN TRANSACTION;
CREATE TABLE aids (
        number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, at TEXT NOT NULL, deal INTEGER NOT NULL,
        look INTEGER NOT NULL, position TEXT NOT NULL, kind TEXT NOT NULL, step INTEGER NOT NULL,
        UNIQUE (game, deal, position, kind, step)
    );
CREATE TABLE events (
        number INTEGER PRIMARY KEY AUTOINCREMENT, game TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL,
        state TEXT NOT NULL, told TEXT NOT NULL
    );
INSERT INTO "events" VALUES(1,'Jzjb9cYZg6Mj','2026-11-26T12:27:46.576+00:00','opened','{"game": "relaxed-pyramid", "rules": {}, "fits": ["pyramid", "king-tut", "tuts-tomb", "relaxed-pyramid", "easy-pyramid", "math-pyramid", "math-pyramid-jokers", "math-pyramid-three"], "asked": [], "looks": [{"look": 1, "pins": {}, "hindsight": {}, "stage": "play", "stock_count": null, "pass_number": null, "direction": null, "reversed": null, "allowed": false, "answer": null, "pointed": false, "way": "score"}]}','{"explanation": "start", "moves": [], "undone": [], "misread": [], "violations": [], "question": null, "provisional": false, "position": {"pyramid": [["2H"], ["KD", "5C"], [null, null, null], [null, null, null, null], [null, null, null, null, null], [null, null, null, null, null, null], [null, null, null, null, null, null, null]], "stock": false, "turned": null, "waste": "4C", "foundation": "9H", "stock_cards": [], "pass": 1}, "stock_count": [0, 0], "pass": [1, 1], "record": "game: relaxed-pyramid\nposition: 2H / KD 5C / -- -- -- / -- -- -- -- / -- -- -- -- -- / -- -- -- -- -- -- / -- -- -- -- -- -- -- ; stock=no ; turned=-- ; waste=4C ; foundation=9H ; stock_cards= ; pass=1\n"}');
CREATE TABLE looks (
        game TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL, name TEXT NOT NULL, shown TEXT NOT NULL,
        picture TEXT, PRIMARY KEY (game, number)
    );
INSERT INTO "looks" VALUES('Jzjb9cYZg6Mj',1,'2026-11-26T12:27:46.576+00:00','one.jpg','{"reading": {"width": 1280, "height": 860, "layout": "pyramid-7", "cards": [["pyramid 1 1", "2H", 0.99, false, [["2H", 0.99], ["!!", 0.0]], [[590.0, 20.0], [690.0, 20.0], [690.0, 160.0], [590.0, 160.0]], false], ["pyramid 2 1", "KD", 0.99, false, [["KD", 0.99], ["!!", 0.0]], [[535.0, 100.0], [635.0, 100.0], [635.0, 240.0], [535.0, 240.0]], false], ["pyramid 2 2", "5C", 0.99, false, [["5C", 0.99], ["!!", 0.0]], [[645.0, 100.0], [745.0, 100.0], [745.0, 240.0], [645.0, 240.0]], false], ["waste", "4C", 0.99, false, [["4C", 0.99], ["!!", 0.0]], [[320.0, 700.0], [420.0, 700.0], [420.0, 840.0], [320.0, 840.0]], false], ["foundation", "9H", 0.99, false, [["9H", 0.99], ["!!", 0.0]], [[950.0, 700.0], [1050.0, 700.0], [1050.0, 840.0], [950.0, 840.0]], false]], "places": {"stock": false, "pyramid 1 1": "2H", "pyramid 2 1": "KD", "pyramid 2 2": "5C", "pyramid 3 1": null, "pyramid 3 2": null, "pyramid 3 3": null, "pyramid 4 1": null, "pyramid 4 2": null, "pyramid 4 3": null, "pyramid 4 4": null, "pyramid 5 1": null, "pyramid 5 2": null, "pyramid 5 3": null, "pyramid 5 4": null, "pyramid 5 5": null, "pyramid 6 1": null, "pyramid 6 2": null, "pyramid 6 3": null, "pyramid 6 4": null, "pyramid 6 5": null, "pyramid 6 6": null, "pyramid 7 1": null, "pyramid 7 2": null, "pyramid 7 3": null, "pyramid 7 4": null, "pyramid 7 5": null, "pyramid 7 6": null, "pyramid 7 7": null, "waste": "4C", "foundation": "9H"}, "doubts": [], "advice": [["glare", []]], "milliseconds": {"total": 123.4, "decode": 20.0, "find": 60.0, "read": 30.0, "arrange": 13.4}, "foreign": [], "deck": null, "also": [], "empty": {}}, "text": null}','Jzjb9cYZg6Mj-1.jpg');
CREATE TABLE match_games (
        match TEXT NOT NULL, player INTEGER NOT NULL, number INTEGER NOT NULL, game TEXT NOT NULL UNIQUE,
        PRIMARY KEY (match, player, number)
    );
CREATE TABLE matches (
        id TEXT PRIMARY KEY, at TEXT NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL, players TEXT NOT NULL
    );
CREATE TABLE notes (game TEXT PRIMARY KEY, at TEXT NOT NULL, note TEXT NOT NULL);
CREATE INDEX events_of_a_game ON events (game, number);
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are only added'); END;
CREATE TRIGGER looks_stay BEFORE UPDATE ON looks BEGIN SELECT RAISE(ABORT, 'looks are only added'); END;
CREATE TRIGGER aids_stay BEFORE UPDATE ON aids BEGIN SELECT RAISE(ABORT, 'aids are only added'); END;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',3);
PRAGMA user_version = 2;
COMMIT;
