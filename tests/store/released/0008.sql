BEGIN TRANSACTION;
CREATE TABLE accounts (
	who TEXT NOT NULL, 
	name TEXT NOT NULL, 
	skeleton TEXT NOT NULL, 
	password TEXT NOT NULL, 
	scram TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT accounts_pk PRIMARY KEY (who), 
	CONSTRAINT accounts_skeleton_unique UNIQUE (skeleton)
);
INSERT INTO "accounts" VALUES('ann','Ann','ann','$argon2id$1','SCRAM-SHA-256$4096:a$b:c',1767323045000);
CREATE TABLE admin_log (
	no INTEGER NOT NULL, 
	uid BIGINT NOT NULL, 
	command TEXT NOT NULL, 
	about TEXT NOT NULL, 
	why TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT admin_log_pk PRIMARY KEY (no)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0008');
CREATE TABLE blocks (
	name TEXT NOT NULL, 
	blocked TEXT NOT NULL, 
	CONSTRAINT blocks_pk PRIMARY KEY (name)
);
INSERT INTO "blocks" VALUES('Ann','bob ~cy');
CREATE TABLE boots (
	no INTEGER NOT NULL, 
	boot TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT boots_pk PRIMARY KEY (no)
);
INSERT INTO "boots" VALUES(1,'b1',5,1767323045000);
CREATE TABLE commands (
	name TEXT NOT NULL, 
	slot INTEGER NOT NULL, 
	no BIGINT NOT NULL, 
	"key" TEXT NOT NULL, 
	said TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	CONSTRAINT commands_pk PRIMARY KEY (name, slot)
)
 WITHOUT ROWID

;
CREATE TABLE daily_entries (
	day TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	who TEXT NOT NULL, 
	name TEXT NOT NULL, 
	began BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	place INTEGER NOT NULL, 
	points BIGINT NOT NULL, 
	ended BIGINT NOT NULL, 
	CONSTRAINT daily_entries_pk PRIMARY KEY (day, "key", who)
)
 WITHOUT ROWID

;
CREATE TABLE daily_seals (
	day TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	seed TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT daily_seals_pk PRIMARY KEY (day, "key")
)
 WITHOUT ROWID

;
CREATE TABLE dues (
	game TEXT NOT NULL, 
	pool TEXT NOT NULL, 
	CONSTRAINT dues_pk PRIMARY KEY (game), 
	CONSTRAINT dues_game_known FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "dues" VALUES('g1','people');
CREATE TABLE friends (
	name TEXT NOT NULL, 
	friends TEXT NOT NULL, 
	CONSTRAINT friends_pk PRIMARY KEY (name)
);
CREATE TABLE frozen (
	game TEXT NOT NULL, 
	words TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT frozen_pk PRIMARY KEY (game)
);
INSERT INTO "frozen" VALUES('g1','kitten,-',1767323045000);
CREATE TABLE games (
	id TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	table_id TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	rules TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	why TEXT NOT NULL, 
	rated BOOLEAN NOT NULL, 
	public BOOLEAN NOT NULL, 
	began BIGINT NOT NULL, 
	ended BIGINT NOT NULL, 
	first BIGINT NOT NULL, 
	last BIGINT NOT NULL, at BIGINT DEFAULT 0 NOT NULL, undone BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT games_pk PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('g1',1,'t1','twentytwo','sidcup','abc','target',1,1,1767323045000,1767323045900,4,180,40,0);
CREATE TABLE inbox (
	name TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	CONSTRAINT inbox_pk PRIMARY KEY (name, seq)
)
 WITHOUT ROWID

;
INSERT INTO "inbox" VALUES('Ann',1,1767323045000,'INVITED on=me seq=1 by=bob');
CREATE TABLE inputs (
	table_id TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	who TEXT NOT NULL, 
	program BOOLEAN NOT NULL, 
	standin BOOLEAN NOT NULL, 
	ordered TEXT NOT NULL, 
	packs TEXT NOT NULL, 
	last BIGINT NOT NULL, 
	digest BIGINT NOT NULL, 
	tag TEXT NOT NULL, 
	CONSTRAINT inputs_pk PRIMARY KEY (table_id, seq), 
	CONSTRAINT inputs_table_id_known FOREIGN KEY(table_id) REFERENCES tables (id)
)
 WITHOUT ROWID

;
INSERT INTO "inputs" VALUES('t2',1,40,1767323045040,'ann',0,0,'deed play QS','',9,77,'c1');
INSERT INTO "inputs" VALUES('t2',2,80,1767323045080,'ann',0,0,'deed play QS','["2C,3C"]',9,77,'c1');
CREATE TABLE invite_codes (
	digest BLOB NOT NULL, 
	until BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT invite_codes_pk PRIMARY KEY (digest)
);
CREATE TABLE marks (
	name TEXT NOT NULL, 
	value BIGINT NOT NULL, 
	CONSTRAINT marks_pk PRIMARY KEY (name)
);
INSERT INTO "marks" VALUES('batch',3);
INSERT INTO "marks" VALUES('at',80);
INSERT INTO "marks" VALUES('table',2);
INSERT INTO "marks" VALUES('game',2);
INSERT INTO "marks" VALUES('promise',2);
INSERT INTO "marks" VALUES('copy',0);
CREATE TABLE people (
	name TEXT NOT NULL, 
	program BOOLEAN NOT NULL, 
	secret BLOB NOT NULL, 
	"before" BLOB NOT NULL, since BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT people_pk PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('Ann',0,X'0102',X'',7);
CREATE TABLE players (
	who TEXT NOT NULL, 
	game TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	ended BIGINT NOT NULL, 
	number BIGINT NOT NULL, 
	CONSTRAINT players_pk PRIMARY KEY (who, game), 
	CONSTRAINT players_game_known FOREIGN KEY(game) REFERENCES games (id)
)
 WITHOUT ROWID

;
INSERT INTO "players" VALUES('ann','g1','twentytwo',1767323045900,1);
INSERT INTO "players" VALUES('bot:hard','g1','twentytwo',1767323045900,1);
CREATE TABLE promises (
	no BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	alg TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	chain TEXT NOT NULL, 
	CONSTRAINT promises_pk PRIMARY KEY (no), 
	CONSTRAINT promises_game_unique UNIQUE (game)
);
INSERT INTO "promises" VALUES(1,'g1','t1','fd1','0000000000000000000000000000000000000000000000000000000000000001',1767323045000,'5a91db457706abfc507501148130318096a5dcca8b1be9d79d5e7d85f319b7b6');
INSERT INTO "promises" VALUES(2,'g2','t2','fd1','0000000000000000000000000000000000000000000000000000000000000002',1767323045000,'7e7a93570b526bb26f1e8edcc9f1e3afc84737e93adc0eddf52aeb0d8665152d');
CREATE TABLE rating_log (
	pool TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	rules TEXT NOT NULL, 
	name TEXT NOT NULL, 
	who TEXT NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	games BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT rating_log_pk PRIMARY KEY (pool, "key", rules, name, games)
);
INSERT INTO "rating_log" VALUES('people','twentytwo','sidcup','Ann','ann',25.5,8.0,1,1767323045000);
CREATE TABLE ratings (
	pool TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	rules TEXT NOT NULL, 
	name TEXT NOT NULL, 
	who TEXT NOT NULL, 
	mu DOUBLE NOT NULL, 
	sigma DOUBLE NOT NULL, 
	games BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	score DOUBLE NOT NULL, 
	CONSTRAINT ratings_pk PRIMARY KEY (pool, "key", rules, name)
);
INSERT INTO "ratings" VALUES('people','twentytwo','sidcup','Ann','ann',25.5,8.0,1,1767323045000,1.5);
CREATE TABLE records (
	game TEXT NOT NULL, 
	record TEXT NOT NULL, 
	CONSTRAINT records_pk PRIMARY KEY (game), 
	CONSTRAINT records_game_known FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "records" VALUES('g1','a record');
CREATE TABLE reports (
	no BIGINT NOT NULL, 
	reporter TEXT NOT NULL, 
	about TEXT NOT NULL, 
	text TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	answer TEXT NOT NULL, 
	closed BIGINT NOT NULL, 
	told BOOLEAN NOT NULL, place TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT reports_pk PRIMARY KEY (no)
);
CREATE TABLE sanctions (
	kind TEXT NOT NULL, 
	target TEXT NOT NULL, 
	until BIGINT NOT NULL, 
	why TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT sanctions_pk PRIMARY KEY (kind, target)
)
 WITHOUT ROWID

;
CREATE TABLE seats (
	game TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	version TEXT NOT NULL, 
	place INTEGER NOT NULL, 
	total BIGINT NOT NULL, 
	CONSTRAINT seats_pk PRIMARY KEY (game, seat), 
	CONSTRAINT seats_game_known FOREIGN KEY(game) REFERENCES games (id)
)
 WITHOUT ROWID

;
INSERT INTO "seats" VALUES('g1',1,'Ann','',1,3);
INSERT INTO "seats" VALUES('g1',2,'bot:hard','3',2,-3);
CREATE TABLE seeds (
	no BIGINT NOT NULL, 
	seed TEXT NOT NULL, 
	CONSTRAINT seeds_pk PRIMARY KEY (no), 
	CONSTRAINT seeds_no_known FOREIGN KEY(no) REFERENCES promises (no)
);
INSERT INTO "seeds" VALUES(1,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001');
INSERT INTO "seeds" VALUES(2,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002');
CREATE TABLE summaries (
	game TEXT NOT NULL, 
	summary TEXT NOT NULL, 
	CONSTRAINT summaries_pk PRIMARY KEY (game), 
	CONSTRAINT summaries_game_known FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE tables (
	id TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	"key" TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	closed BIGINT, 
	CONSTRAINT tables_pk PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('t1',1,'twentytwo',1767323045000,1767323045000);
INSERT INTO "tables" VALUES('t2',2,'twentytwo',1767323045000,NULL);
CREATE TABLE tokens (
	who TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	digest BLOB NOT NULL, 
	label TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT tokens_pk PRIMARY KEY (who, number), 
	CONSTRAINT tokens_who_known FOREIGN KEY(who) REFERENCES accounts (who), 
	CONSTRAINT tokens_digest_unique UNIQUE (digest)
);
INSERT INTO "tokens" VALUES('ann',1,X'31','laptop',1767323045000);
CREATE INDEX tables_open ON tables (number) WHERE closed IS NULL;
CREATE INDEX promises_by_table_id ON promises (table_id);
CREATE INDEX games_past ON games (public, ended, number);
CREATE INDEX games_past_of_key ON games (public, "key", ended, number);
CREATE INDEX players_past ON players (who, ended, number);
CREATE INDEX players_past_of_key ON players (who, "key", ended, number);
CREATE INDEX ratings_best ON ratings (pool, "key", rules, score);
CREATE INDEX ratings_by_who ON ratings (who);
CREATE INDEX reports_open ON reports (closed, told);
CREATE INDEX games_rated ON games ("key", rules, ended) WHERE rated;
CREATE INDEX rating_log_by_who ON rating_log (who);
CREATE INDEX daily_entries_of ON daily_entries (who, day);
COMMIT;
