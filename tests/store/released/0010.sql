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
INSERT INTO "accounts" VALUES('zoe','zoe','zoe','1:8bb8c894c7fb33920f414a0b5d9d10b25a8aa88526cf09802b0c45c35fb44e9e','4096:c2FsdHNhbHRzYWx0c2FsdA==:CkZEk7oqVyCLfmrTCco7yCBIX8HUS0QiPfQOVZZqlPY=:Gw/Xgf05psH8FG3Mu/sdjC0DXqWVaG+W8PTe7mnK8wM=',1767323045000);
INSERT INTO "accounts" VALUES('yan','yan','yan','1:4cc0b19ff66fa54710f70766bf5f9e4815d7db2c5aa279caa7af4bceb107b3cc','4096:c2FsdHNhbHRzYWx0c2FsdA==:SVEKzDF6xbKHHndp4gu4QmsCGr0eaBhj3wSjudtAafA=:mP2lU+sVwa0Sh9f2VpE1nCPMzuxM5MuxU72AzywGQps=',1767323161000);
CREATE TABLE admin_log (
	no INTEGER NOT NULL, 
	uid BIGINT NOT NULL, 
	command TEXT NOT NULL, 
	about TEXT NOT NULL, 
	why TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT admin_log_pk PRIMARY KEY (no)
);
CREATE TABLE blocks (
	name TEXT NOT NULL, 
	blocked TEXT NOT NULL, 
	CONSTRAINT blocks_pk PRIMARY KEY (name)
);
INSERT INTO "blocks" VALUES('zoe','~bob');
CREATE TABLE boots (
	no INTEGER NOT NULL, 
	boot TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT boots_pk PRIMARY KEY (no)
);
INSERT INTO "boots" VALUES(1,'boot',0,1767323045000);
INSERT INTO "boots" VALUES(2,'boot',116000,1767323161000);
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
INSERT INTO "commands" VALUES('zoe',1,1,'1','tell yan :see you','{"on": "me", "seq": 2}');
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
	untold BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT daily_entries_pk PRIMARY KEY (day, "key", who)
)
 WITHOUT ROWID

;
INSERT INTO "daily_entries" VALUES('2026-01-02','twentytwo','yan','yan',1767323161000,'',0,0,0,0);
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
INSERT INTO "daily_seals" VALUES('2026-01-02','twentyeight','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000033','5914dc624c4176fef2b572609f8e47e309fdd112c2c1767bd768baf5d3cb042e',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-02','twentysix','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000031','da848b57f8b5d180772ac0f5ac2ffcbeb3312f53fda539e03fd977413ff86fea',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-02','twentytwo','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000030','d80b71c3c780c1dfa62687b526b5adb7ee8d9fbc521864934708469fb64290df',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-02','whist22','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000032','7aaf78148ccc85aaa6f14651c83fb3cd0a5c985c8ccb814cf0664028110281f2',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-03','twentyeight','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000037','9a7583ec7ce7ddfd9943616c29b1c2151525290ba505299a85328792b4f55e97',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-03','twentysix','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000035','cd37acc14302716da6ac4c8d8b6e984aec4cf16cf8503ea6ab66afd6880e55eb',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-03','twentytwo','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000034','9612357456fd1b06e98e44acb34b0f5b822dc3ebe5c0b8c1e7e32c6899f1fffe',1767323161000);
INSERT INTO "daily_seals" VALUES('2026-01-03','whist22','00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000036','a2e8d643f15fa5adaf8d615c55b8acfdadf8b661e036cb2ecd3b713e766bfedc',1767323161000);
CREATE TABLE dues (
	game TEXT NOT NULL, 
	pool TEXT NOT NULL, 
	CONSTRAINT dues_pk PRIMARY KEY (game), 
	CONSTRAINT dues_game_known FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE friends (
	name TEXT NOT NULL, 
	friends TEXT NOT NULL, 
	CONSTRAINT friends_pk PRIMARY KEY (name)
);
INSERT INTO "friends" VALUES('yan','zoe');
CREATE TABLE frozen (
	game TEXT NOT NULL, 
	words TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT frozen_pk PRIMARY KEY (game)
);
INSERT INTO "frozen" VALUES('g1','1=-,2=kitten,3=-,4=-',1767323045000);
INSERT INTO "frozen" VALUES('g2','1=-,2=-,3=-,4=-',1767323049500);
INSERT INTO "frozen" VALUES('g4','1=-,2=kitten,3=-,4=-',1767323074000);
INSERT INTO "frozen" VALUES('g5','1=-,2=-,3=-,4=-',1767323078500);
INSERT INTO "frozen" VALUES('g7','1=-,2=kitten,3=-,4=-',1767323103000);
INSERT INTO "frozen" VALUES('g8','1=-,2=-,3=-,4=-',1767323107500);
INSERT INTO "frozen" VALUES('g10','1=-,2=kitten,3=-,4=-',1767323132000);
INSERT INTO "frozen" VALUES('g11','1=-,2=-,3=-,4=-',1767323136500);
INSERT INTO "frozen" VALUES('g13','1=-,2=-',1767323161000);
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
	last BIGINT NOT NULL, 
	at BIGINT DEFAULT 0 NOT NULL, 
	undone BOOLEAN DEFAULT 0 NOT NULL, 
	CONSTRAINT games_pk PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('g13',13,'t13','twentytwo','pagat','de3f618ef6420dd219ab4d84dcce5c40','resigned',1,1,1767323161000,1767323161000,38,51,116000,0);
CREATE TABLE inbox (
	name TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	tag TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT inbox_pk PRIMARY KEY (name, seq)
)
 WITHOUT ROWID

;
INSERT INTO "inbox" VALUES('yan',1,1767323161000,'RATED on=me seq=1 game=twentytwo rules=pagat id=g13 old=1500 new=1395 games=1','');
INSERT INTO "inbox" VALUES('yan',2,1767323161000,'TOLD on=me seq=2 by=zoe to=yan :see you','');
INSERT INTO "inbox" VALUES('zoe',1,1767323161000,'RATED on=me seq=1 game=twentytwo rules=pagat id=g13 old=1500 new=1605 games=1','');
INSERT INTO "inbox" VALUES('zoe',2,1767323161000,'TOLD on=me seq=2 by=zoe to=yan :see you','');
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
INSERT INTO "inputs" VALUES('t1',1,0,1767323045000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"22","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',34,1787886580,'');
INSERT INTO "inputs" VALUES('t1',2,0,1767323045000,'~p1x',0,0,'["join",{"table":"t1"}]','',35,3087958397,'');
INSERT INTO "inputs" VALUES('t1',3,0,1767323045000,'~p2x',0,0,'["join",{"table":"t1"}]','',36,2516817362,'');
INSERT INTO "inputs" VALUES('t1',4,0,1767323045000,'~p3x',0,0,'["join",{"table":"t1"}]','',37,3609109338,'');
INSERT INTO "inputs" VALUES('t1',5,0,1767323045000,'zoe',0,0,'["option",{"key":"limit","value":"30"}]','',38,1975096930,'');
INSERT INTO "inputs" VALUES('t1',6,0,1767323045000,'~p1x',0,0,'["seed",{"word_":"kitten"}]','',39,2806811946,'');
INSERT INTO "inputs" VALUES('t1',7,0,1767323045000,'~p2x',0,0,'["say",{"text":"good luck"}]','',40,1996531512,'');
INSERT INTO "inputs" VALUES('t1',8,0,1767323045000,'~p1x',0,0,'["ready",{}]','',41,1104869062,'');
INSERT INTO "inputs" VALUES('t1',9,0,1767323045000,'~p2x',0,0,'["ready",{}]','',42,2845456929,'');
INSERT INTO "inputs" VALUES('t1',10,0,1767323045000,'~p3x',0,0,'["ready",{}]','',43,3494810516,'');
INSERT INTO "inputs" VALUES('t1',11,0,1767323045000,'zoe',0,0,'["start",{}]','["AS+TH+4C+KS+8S+8H+QH+9D+7S+7D+9H+9S+3H+5D+3D+8C+2C+5C+AD+KH+8D+7H+3S+2S+TS+5H+JD+2D+5S+JC+QD+QC+TD+KC+3C+6C+JH+TC+6S+AC+AH+6D+KD+7C+4S+QS+2H+6H+4D+9C+4H+JS", "8H+TC+KS+TD+7D+4D+QH+TS+7S+3S+9S+9C+3D+8S+2D+5H+AD+4S+5C+7H+JC+KC+AH+QD+JS+9D+AS+AC+3H+KD+5S+JD+6C+9H+2S+2C+4C+5D+3C+KH+6D+QS+QC+2H+4H+8C+JH+TH+8D+7C+6H+6S"]',56,3271890588,'');
INSERT INTO "inputs" VALUES('t1',12,500,1767323045500,'~p1x',0,0,'["move",{"token":"-"}]','',58,3189082118,'');
INSERT INTO "inputs" VALUES('t1',13,1000,1767323046000,'~p2x',0,0,'["move",{"token":"-"}]','',60,1155235691,'');
INSERT INTO "inputs" VALUES('t1',14,1500,1767323046500,'~p3x',0,0,'["move",{"token":"-"}]','',62,3332199608,'');
INSERT INTO "inputs" VALUES('t1',15,2000,1767323047000,'zoe',0,0,'["move",{"token":"-"}]','',65,1882558069,'');
INSERT INTO "inputs" VALUES('t1',16,2500,1767323047500,'~p1x',0,0,'["move",{"token":"3"}]','',67,2858412848,'');
INSERT INTO "inputs" VALUES('t1',17,3000,1767323048000,'~p2x',0,0,'["move",{"token":"3"}]','',69,3793601432,'');
INSERT INTO "inputs" VALUES('t1',18,3500,1767323048500,'~p3x',0,0,'["move",{"token":"2"}]','',71,3487018133,'');
INSERT INTO "inputs" VALUES('t1',19,4000,1767323049000,'zoe',0,0,'["move",{"token":"5"}]','',75,3532870943,'');
INSERT INTO "inputs" VALUES('t1',20,4500,1767323049500,'zoe',0,0,'["move",{"token":"7"}]','',77,3139215621,'');
INSERT INTO "inputs" VALUES('t1',21,4500,1767323049500,'~p3x',0,0,'["!away",{"name":"~p3x"}]','',78,4166666785,'');
INSERT INTO "inputs" VALUES('t1',22,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',82,3814455903,'');
INSERT INTO "inputs" VALUES('t10',1,87000,1767323132000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"evening","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"order":"denexa","call":"mandatory","must_trump":"always","early_trump":"no","pass_out":"no","target":"5","loss_limit":"5","redeal_no_points":"no"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',19,3044081295,'');
INSERT INTO "inputs" VALUES('t10',2,87000,1767323132000,'~p25x',0,0,'["join",{"table":"t10"}]','',20,3883147978,'');
INSERT INTO "inputs" VALUES('t10',3,87000,1767323132000,'~p26x',0,0,'["join",{"table":"t10"}]','',21,2384740239,'');
INSERT INTO "inputs" VALUES('t10',4,87000,1767323132000,'~p27x',0,0,'["join",{"table":"t10"}]','',22,2123030483,'');
INSERT INTO "inputs" VALUES('t10',5,87000,1767323132000,'zoe',0,0,'["option",{"key":"loss_limit","value":"40"}]','',23,402930958,'');
INSERT INTO "inputs" VALUES('t10',6,87000,1767323132000,'~p25x',0,0,'["seed",{"word_":"kitten"}]','',24,1956569324,'');
INSERT INTO "inputs" VALUES('t10',7,87000,1767323132000,'~p26x',0,0,'["say",{"text":"good luck"}]','',25,507360562,'');
INSERT INTO "inputs" VALUES('t10',8,87000,1767323132000,'~p25x',0,0,'["ready",{}]','',26,695194540,'');
INSERT INTO "inputs" VALUES('t10',9,87000,1767323132000,'~p26x',0,0,'["ready",{}]','',27,4192165786,'');
INSERT INTO "inputs" VALUES('t10',10,87000,1767323132000,'~p27x',0,0,'["ready",{}]','',28,1530354141,'');
INSERT INTO "inputs" VALUES('t10',11,87000,1767323132000,'zoe',0,0,'["start",{}]','["1+3+4+2", "JH+9C+AC+QD+JD+KH+AS+8H+JC+QS+TS+KS+QC+AD+AH+TH+8D+9D+7C+KC+QH+TD+7H+KD+8C+JS+8S+9S+9H+TC+7D+7S"]',37,1716245146,'');
INSERT INTO "inputs" VALUES('t10',12,87500,1767323132500,'~p25x',0,0,'["move",{"token":"14"}]','',39,970178203,'');
INSERT INTO "inputs" VALUES('t10',13,88000,1767323133000,'~p26x',0,0,'["move",{"token":"pass"}]','',41,682048345,'');
INSERT INTO "inputs" VALUES('t10',14,88500,1767323133500,'~p27x',0,0,'["move",{"token":"pass"}]','',43,2894368680,'');
INSERT INTO "inputs" VALUES('t10',15,89000,1767323134000,'zoe',0,0,'["move",{"token":"pass"}]','',46,2349022609,'');
INSERT INTO "inputs" VALUES('t10',16,89500,1767323134500,'~p25x',0,0,'["move",{"token":"QC"}]','',53,3872105533,'');
INSERT INTO "inputs" VALUES('t10',17,90000,1767323135000,'~p25x',0,0,'["move",{"token":"8D"}]','',55,378915684,'');
INSERT INTO "inputs" VALUES('t10',18,90500,1767323135500,'~p26x',0,0,'["move",{"token":"TD"}]','',57,1152216927,'');
INSERT INTO "inputs" VALUES('t10',19,91000,1767323136000,'~p27x',0,0,'["move",{"token":"7D"}]','',59,1654831149,'');
INSERT INTO "inputs" VALUES('t10',20,91500,1767323136500,'zoe',0,0,'["move",{"token":"QD"}]','',63,3231026782,'');
INSERT INTO "inputs" VALUES('t10',21,91500,1767323136500,'~p27x',0,0,'["!away",{"name":"~p27x"}]','',64,1528123745,'');
INSERT INTO "inputs" VALUES('t10',22,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',68,3487885901,'');
INSERT INTO "inputs" VALUES('t11',1,91500,1767323136500,'~ann4',0,0,'["!opening",{"settings":{"seats":4,"preset":"evening","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"order":"denexa","call":"mandatory","must_trump":"always","early_trump":"no","pass_out":"no","target":"5","loss_limit":"40","redeal_no_points":"no"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',19,4260087502,'');
INSERT INTO "inputs" VALUES('t11',2,91500,1767323136500,'~p29x',0,0,'["join",{"table":"t11"}]','',20,3073894324,'');
INSERT INTO "inputs" VALUES('t11',3,91500,1767323136500,'~p30x',0,0,'["join",{"table":"t11"}]','',21,1395336286,'');
INSERT INTO "inputs" VALUES('t11',4,91500,1767323136500,'~p31x',0,0,'["join",{"table":"t11"}]','',22,2459179105,'');
INSERT INTO "inputs" VALUES('t11',5,91500,1767323136500,'~p29x',0,0,'["ready",{}]','',23,391984673,'');
INSERT INTO "inputs" VALUES('t11',6,91500,1767323136500,'~p30x',0,0,'["ready",{}]','',24,2130876750,'');
INSERT INTO "inputs" VALUES('t11',7,91500,1767323136500,'~p31x',0,0,'["ready",{}]','',25,3631737336,'');
INSERT INTO "inputs" VALUES('t11',8,91500,1767323136500,'~ann4',0,0,'["start",{}]','["1+3+2+4", "QD+TD+8H+7D+AS+8D+7H+7S+7C+KH+9C+TH+QC+JH+AD+KD+JS+QH+9S+AH+TS+8S+JC+TC+9H+QS+KC+AC+8C+JD+9D+KS"]',34,1580093342,'');
INSERT INTO "inputs" VALUES('t11',9,92000,1767323137000,'~p29x',0,0,'["move",{"token":"14"}]','',36,529428428,'');
INSERT INTO "inputs" VALUES('t11',10,92500,1767323137500,'~p30x',0,0,'["move",{"token":"pass"}]','',38,3401087157,'');
INSERT INTO "inputs" VALUES('t11',11,93000,1767323138000,'~p31x',0,0,'["move",{"token":"pass"}]','',40,3757203989,'');
INSERT INTO "inputs" VALUES('t11',12,93500,1767323138500,'~ann4',0,0,'["move",{"token":"pass"}]','',43,3902821704,'');
INSERT INTO "inputs" VALUES('t11',13,94000,1767323139000,'~p29x',0,0,'["move",{"token":"7C"}]','',50,1924783359,'');
INSERT INTO "inputs" VALUES('t11',14,94500,1767323139500,'~p29x',0,0,'["move",{"token":"TS"}]','',52,821596762,'');
INSERT INTO "inputs" VALUES('t11',15,95000,1767323140000,'~p30x',0,0,'["move",{"token":"8S"}]','',54,272877997,'');
INSERT INTO "inputs" VALUES('t11',16,95500,1767323140500,'~p31x',0,0,'["move",{"token":"9S"}]','',56,4033964583,'');
INSERT INTO "inputs" VALUES('t11',17,96000,1767323141000,'~ann4',0,0,'["move",{"token":"7S"}]','',60,3898629323,'');
INSERT INTO "inputs" VALUES('t11',18,96000,1767323141000,'~p31x',0,0,'["!away",{"name":"~p31x"}]','',61,2924539847,'');
INSERT INTO "inputs" VALUES('t11',19,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',65,359985980,'');
INSERT INTO "inputs" VALUES('t12',1,96000,1767323141000,'~bob4',0,0,'["!opening",{"settings":{"seats":4,"preset":"evening","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"order":"denexa","call":"mandatory","must_trump":"always","early_trump":"no","pass_out":"no","target":"5","loss_limit":"5","redeal_no_points":"no"},"bots":3,"start":true,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":false,"played":[]}]','["3+1+2+4", "AS+7D+7C+7H+8D+9H+JH+9C+TH+QC+QH+AC+AH+QD+JC+JS+KC+8H+QS+7S+TD+TS+8C+TC+KS+AD+KH+8S+JD+KD+9S+9D"]',31,2362694335,'');
INSERT INTO "inputs" VALUES('t12',2,96000,1767323141000,'bot:steady3',0,0,'["move",{"token":"14","turn":1}]','',33,4143166647,'');
INSERT INTO "inputs" VALUES('t12',3,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',34,1754101094,'');
INSERT INTO "inputs" VALUES('t13',1,116000,1767323161000,'zoe',0,0,'["!opening",{"settings":{"seats":2,"preset":"pagat","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":true,"day":"","entrant":"","lesson":0},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"22","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',35,3940769554,'');
INSERT INTO "inputs" VALUES('t13',2,116000,1767323161000,'yan',0,0,'["join",{"table":"t13"}]','',36,3420090646,'');
INSERT INTO "inputs" VALUES('t13',3,116000,1767323161000,'yan',0,0,'["ready",{}]','',37,175048934,'');
INSERT INTO "inputs" VALUES('t13',4,116000,1767323161000,'zoe',0,0,'["start",{}]','["QD+9D+4D+5S+6S+QH+TS+3S+8C+5H+JH+9S+AS+2S+AD+QC+JC+6H+4S+8D+6D+AC+4C+8H+TC+3C+KH+2D+2C+KS+QS+KC+KD+7S+7C+2H+5D+9H+TD+AH+9C+4H+JS+7H+5C+7D+3H+JD+3D+6C+TH+8S", "7H+9D+9S+8S+7C+2C+3H+4D+3D+9H+6D+5D+8H+5C+KD+5H+TC+2H+9C+5S+TD+AC+4S+QH+JD+2D+7S+TS+8D+KS+AS+4C+QD+JS+8C+6H+KH+4H+3C+6S+KC+JH+AH+TH+QS+2S+6C+QC+7D+JC+3S+AD"]',46,2255101672,'');
INSERT INTO "inputs" VALUES('t13',5,116000,1767323161000,'yan',0,0,'["resign",{}]','',51,3957218748,'');
INSERT INTO "inputs" VALUES('t13',6,116000,1767323161000,'yan',0,0,'["leave",{}]','',52,3056981751,'');
INSERT INTO "inputs" VALUES('t13',7,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',53,895316671,'');
INSERT INTO "inputs" VALUES('t14',1,116000,1767323161000,'yan',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":false,"word":"","title":"","clock":null,"seed":null,"practice":false,"level":"steady","rated":false,"day":"2026-01-02","entrant":"yan","lesson":0},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"22","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":3,"start":true,"grace":120000,"edition":1,"most_hands":5,"sought":false,"version":1,"protected":false,"played":[]}]','["8D+5H+QH+KS+9D+JH+3D+TD+9C+2D+5S+AH+2C+4S+JD+8S+4H+9S+7C+KD+TS+5D+JS+7H+QS+7D+7S+6D+2S+JC+4C+3H+KH+3C+2H+QD+AS+QC+5C+KC+6C+6H+8H+TC+4D+9H+AD+TH+AC+3S+6S+8C", "9D+7S+JH+3C+5H+8C+QD+9S+JC+3H+5S+8S+4D+JS+6C+6D+2H+2D+QS+4H+AC+JD+2S+4C+TH+TC+KD+7C+9H+QC+5D+2C+QH+4S+7D+KS+3D+AS+9C+7H+8H+TS+5C+8D+KC+6H+KH+AH+AD+3S+6S+TD"]',50,4288227411,'');
INSERT INTO "inputs" VALUES('t14',2,116000,1767323161000,'yan',0,0,'["!away",{"name":"yan"}]','',51,887312091,'');
INSERT INTO "inputs" VALUES('t14',3,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',52,612668863,'');
INSERT INTO "inputs" VALUES('t2',1,4500,1767323049500,'~ann',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"30","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',34,1603795434,'');
INSERT INTO "inputs" VALUES('t2',2,4500,1767323049500,'~p5x',0,0,'["join",{"table":"t2"}]','',35,1339227113,'');
INSERT INTO "inputs" VALUES('t2',3,4500,1767323049500,'~p6x',0,0,'["join",{"table":"t2"}]','',36,76369893,'');
INSERT INTO "inputs" VALUES('t2',4,4500,1767323049500,'~p7x',0,0,'["join",{"table":"t2"}]','',37,3750114034,'');
INSERT INTO "inputs" VALUES('t2',5,4500,1767323049500,'~p5x',0,0,'["ready",{}]','',38,3313144346,'');
INSERT INTO "inputs" VALUES('t2',6,4500,1767323049500,'~p6x',0,0,'["ready",{}]','',39,2232476889,'');
INSERT INTO "inputs" VALUES('t2',7,4500,1767323049500,'~p7x',0,0,'["ready",{}]','',40,2412253295,'');
INSERT INTO "inputs" VALUES('t2',8,4500,1767323049500,'~ann',0,0,'["start",{}]','["QH+8S+7S+3H+TH+8D+2H+5H+KC+4S+2C+QD+9H+KH+AD+9D+JS+8C+5S+7D+9C+3C+JH+3S+6D+4H+2D+TC+6S+AC+6H+QS+4D+5D+7H+TS+KD+9S+TD+2S+AS+QC+8H+4C+5C+AH+JC+6C+KS+JD+7C+3D", "8H+6S+KC+KS+9C+9H+8S+8C+TC+3C+7C+AD+5H+7S+2H+QD+7D+2D+JD+TS+9S+AS+QH+5S+9D+6C+5C+2C+4S+6D+QS+QC+4C+3D+AH+TH+4H+JH+4D+TD+KH+KD+2S+6H+8D+AC+JS+7H+5D+JC+3H+3S"]',53,4140038141,'');
INSERT INTO "inputs" VALUES('t2',9,5000,1767323050000,'~p5x',0,0,'["move",{"token":"-"}]','',55,2707114279,'');
INSERT INTO "inputs" VALUES('t2',10,5500,1767323050500,'~p6x',0,0,'["move",{"token":"-"}]','',57,3168639702,'');
INSERT INTO "inputs" VALUES('t2',11,6000,1767323051000,'~p7x',0,0,'["move",{"token":"-"}]','',59,115272709,'');
INSERT INTO "inputs" VALUES('t2',12,6500,1767323051500,'~ann',0,0,'["move",{"token":"-"}]','',62,95067117,'');
INSERT INTO "inputs" VALUES('t2',13,7000,1767323052000,'~p5x',0,0,'["move",{"token":"5"}]','',64,169879695,'');
INSERT INTO "inputs" VALUES('t2',14,7500,1767323052500,'~p6x',0,0,'["move",{"token":"2"}]','',66,1383362680,'');
INSERT INTO "inputs" VALUES('t2',15,8000,1767323053000,'~p7x',0,0,'["move",{"token":"2"}]','',68,2216753339,'');
INSERT INTO "inputs" VALUES('t2',16,8500,1767323053500,'~ann',0,0,'["move",{"token":"2"}]','',72,1707835081,'');
INSERT INTO "inputs" VALUES('t2',17,9000,1767323054000,'~p5x',0,0,'["move",{"token":"7"}]','',74,2063012747,'');
INSERT INTO "inputs" VALUES('t2',18,9000,1767323054000,'~p7x',0,0,'["!away",{"name":"~p7x"}]','',75,3615440620,'');
INSERT INTO "inputs" VALUES('t2',19,100000,1767323145000,'',0,0,'["!turnover",{"turn":10}]','',78,1965781754,'');
INSERT INTO "inputs" VALUES('t2',20,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',82,3018691172,'');
INSERT INTO "inputs" VALUES('t3',1,9000,1767323054000,'~bob',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"22","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":3,"start":true,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":false,"played":[]}]','["TS+8S+2D+KC+5H+2S+QH+7C+3D+JC+4H+4D+9C+QS+KD+4C+3H+JD+6D+8C+6H+AH+2C+AS+5D+9H+7H+6C+8H+2H+KH+AD+JS+QC+KS+7D+5C+TC+TD+9D+AC+QD+8D+4S+TH+7S+5S+3C+JH+9S+3S+6S", "2D+TD+7D+4H+5H+QH+5D+5C+2S+AC+4D+6C+4C+KS+JS+QD+2C+JD+3S+KC+6S+7H+JH+8C+AH+2H+9D+QS+7S+7C+6D+8H+8S+9H+TS+KD+KH+AD+9S+3C+TH+8D+AS+3H+5S+9C+JC+4S+6H+3D+TC+QC"]',50,1830976347,'');
INSERT INTO "inputs" VALUES('t3',2,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',51,3752068800,'');
INSERT INTO "inputs" VALUES('t4',1,29000,1767323074000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"twentysix","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"8","decks":"2","jokers":"4","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"26","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',34,3368452853,'');
INSERT INTO "inputs" VALUES('t4',2,29000,1767323074000,'~p9x',0,0,'["join",{"table":"t4"}]','',35,490250508,'');
INSERT INTO "inputs" VALUES('t4',3,29000,1767323074000,'~p10x',0,0,'["join",{"table":"t4"}]','',36,3428252688,'');
INSERT INTO "inputs" VALUES('t4',4,29000,1767323074000,'~p11x',0,0,'["join",{"table":"t4"}]','',37,2745626303,'');
INSERT INTO "inputs" VALUES('t4',5,29000,1767323074000,'zoe',0,0,'["option",{"key":"limit","value":"30"}]','',38,821298197,'');
INSERT INTO "inputs" VALUES('t4',6,29000,1767323074000,'~p9x',0,0,'["seed",{"word_":"kitten"}]','',39,1383178994,'');
INSERT INTO "inputs" VALUES('t4',7,29000,1767323074000,'~p10x',0,0,'["say",{"text":"good luck"}]','',40,1373044116,'');
INSERT INTO "inputs" VALUES('t4',8,29000,1767323074000,'~p9x',0,0,'["ready",{}]','',41,2141263084,'');
INSERT INTO "inputs" VALUES('t4',9,29000,1767323074000,'~p10x',0,0,'["ready",{}]','',42,1685457448,'');
INSERT INTO "inputs" VALUES('t4',10,29000,1767323074000,'~p11x',0,0,'["ready",{}]','',43,2957943259,'');
INSERT INTO "inputs" VALUES('t4',11,29000,1767323074000,'zoe',0,0,'["start",{}]','["TS+4H+4S+TH+JH+2H+4S+4D+QC+3C+5C+X+2S+QH+9H+4D+AC+8S+3D+8C+KS+AD+9D+9S+5H+6D+JS+4C+9H+TD+TD+KH+AS+7S+5D+6H+TS+AS+KC+4H+KD+5D+9C+4C+8H+3C+9C+3H+QS+6S+2D+6C+7D+7D+AD+6C+KD+KH+3H+3D+QC+7C+5H+QS+5C+TC+8H+X+8S+QD+TC+8C+AH+6S+8D+QH+JD+JC+7S+7C+2D+KC+2C+JS+X+3S+JC+3S+QD+9D+JH+AH+6H+X+TH+7H+2S+KS+5S+6D+8D+2H+7H+AC+2C+9S+5S+JD", "8S+7C+6S+JH+8S+6D+5H+5S+KH+9C+TD+JD+TS+4H+9D+2D+AH+QH+4S+AS+6C+QC+9C+QC+3S+3D+8C+KS+7D+5C+AD+3S+2H+KH+6D+5S+9S+8D+4C+QS+9H+QH+8D+8H+TH+QS+2S+7S+JC+5C+9H+6H+X+2C+4D+2H+3D+8H+TS+KC+8C+5H+JS+3H+7D+KS+6C+TC+4C+5D+AD+7H+JS+7H+2C+4D+X+TC+4S+AC+6H+9S+KD+4H+2S+7S+6S+X+TH+3H+JH+JC+AC+TD+5D+QD+3C+AH+KD+KC+JD+QD+9D+X+2D+3C+AS+7C"]',58,3030964367,'');
INSERT INTO "inputs" VALUES('t4',12,29500,1767323074500,'~p9x',0,0,'["move",{"token":"-"}]','',60,2289047417,'');
INSERT INTO "inputs" VALUES('t4',13,30000,1767323075000,'~p10x',0,0,'["move",{"token":"-"}]','',62,2725456689,'');
INSERT INTO "inputs" VALUES('t4',14,30500,1767323075500,'~p11x',0,0,'["move",{"token":"-"}]','',64,2980616867,'');
INSERT INTO "inputs" VALUES('t4',15,31000,1767323076000,'zoe',0,0,'["move",{"token":"-"}]','',67,2767205925,'');
INSERT INTO "inputs" VALUES('t4',16,31500,1767323076500,'~p9x',0,0,'["move",{"token":"3"}]','',69,3104134294,'');
INSERT INTO "inputs" VALUES('t4',17,32000,1767323077000,'~p10x',0,0,'["move",{"token":"3"}]','',71,2622885412,'');
INSERT INTO "inputs" VALUES('t4',18,32500,1767323077500,'~p11x',0,0,'["move",{"token":"4"}]','',73,2906286443,'');
INSERT INTO "inputs" VALUES('t4',19,33000,1767323078000,'zoe',0,0,'["move",{"token":"2"}]','',77,507871416,'');
INSERT INTO "inputs" VALUES('t4',20,33500,1767323078500,'~p11x',0,0,'["move",{"token":"5"}]','',79,2417887993,'');
INSERT INTO "inputs" VALUES('t4',21,33500,1767323078500,'~p11x',0,0,'["!away",{"name":"~p11x"}]','',80,2021094592,'');
INSERT INTO "inputs" VALUES('t4',22,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',84,3062130309,'');
INSERT INTO "inputs" VALUES('t5',1,33500,1767323078500,'~ann2',0,0,'["!opening",{"settings":{"seats":4,"preset":"twentysix","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"8","decks":"2","jokers":"4","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"30","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',34,671933393,'');
INSERT INTO "inputs" VALUES('t5',2,33500,1767323078500,'~p13x',0,0,'["join",{"table":"t5"}]','',35,369577260,'');
INSERT INTO "inputs" VALUES('t5',3,33500,1767323078500,'~p14x',0,0,'["join",{"table":"t5"}]','',36,1111230530,'');
INSERT INTO "inputs" VALUES('t5',4,33500,1767323078500,'~p15x',0,0,'["join",{"table":"t5"}]','',37,4164687664,'');
INSERT INTO "inputs" VALUES('t5',5,33500,1767323078500,'~p13x',0,0,'["ready",{}]','',38,70209404,'');
INSERT INTO "inputs" VALUES('t5',6,33500,1767323078500,'~p14x',0,0,'["ready",{}]','',39,3693122423,'');
INSERT INTO "inputs" VALUES('t5',7,33500,1767323078500,'~p15x',0,0,'["ready",{}]','',40,1550046459,'');
INSERT INTO "inputs" VALUES('t5',8,33500,1767323078500,'~ann2',0,0,'["start",{}]','["KH+JS+KS+TC+3C+TH+TS+2H+8H+5D+9H+KD+KS+JC+QD+QS+4D+8S+3H+AH+9H+KH+3S+5C+7D+AC+4H+9C+3C+7C+9S+4H+2S+6D+5S+X+AD+4C+8D+2C+8S+X+4S+9D+JH+TH+7H+3D+JH+2C+9S+6D+KC+8H+3H+4D+X+TD+4S+7S+6S+TD+TS+AS+5H+8C+9D+5H+JC+AC+7S+2D+QD+7D+6C+TC+QC+6H+6H+2D+JD+2S+QC+QH+7H+5S+KC+6C+8D+3S+QH+AS+AD+JD+5D+4C+JS+3D+6S+7C+QS+2H+KD+AH+5C+X+9C+8C", "5D+3S+AH+6S+2D+KS+2H+AC+8H+7D+AD+JH+KC+4S+8D+X+AH+3C+3S+7H+2C+9D+6H+8C+8D+AC+5S+4H+KH+6H+5S+AD+7C+9H+X+AS+4S+3C+X+KD+2D+2H+9D+TC+QD+2S+8C+6S+9C+4D+QH+9C+TH+JC+QD+TS+7S+3H+TS+4D+KS+TD+3D+5H+KC+TD+4C+7D+6C+6D+QH+8H+9H+8S+JS+JH+3H+8S+2C+TC+6C+JS+5H+4H+KH+5D+5C+KD+JD+7S+AS+JD+5C+9S+7C+TH+QC+4C+3D+6D+JC+QC+7H+QS+QS+2S+9S+X"]',55,859324770,'');
INSERT INTO "inputs" VALUES('t5',9,34000,1767323079000,'~p15x',0,0,'["move",{"token":"-"}]','',57,660719667,'');
INSERT INTO "inputs" VALUES('t5',10,34500,1767323079500,'~ann2',0,0,'["move",{"token":"-"}]','',59,3535853967,'');
INSERT INTO "inputs" VALUES('t5',11,35000,1767323080000,'~p13x',0,0,'["move",{"token":"-"}]','',61,3464136737,'');
INSERT INTO "inputs" VALUES('t5',12,35500,1767323080500,'~p14x',0,0,'["move",{"token":"-"}]','',64,3685422736,'');
INSERT INTO "inputs" VALUES('t5',13,36000,1767323081000,'~p15x',0,0,'["move",{"token":"2"}]','',66,3176678085,'');
INSERT INTO "inputs" VALUES('t5',14,36500,1767323081500,'~ann2',0,0,'["move",{"token":"3"}]','',68,1168067375,'');
INSERT INTO "inputs" VALUES('t5',15,37000,1767323082000,'~p13x',0,0,'["move",{"token":"2"}]','',70,2251518231,'');
INSERT INTO "inputs" VALUES('t5',16,37500,1767323082500,'~p14x',0,0,'["move",{"token":"4"}]','',74,2949656545,'');
INSERT INTO "inputs" VALUES('t5',17,38000,1767323083000,'~p14x',0,0,'["move",{"token":"6"}]','',76,4096676101,'');
INSERT INTO "inputs" VALUES('t5',18,38000,1767323083000,'~p15x',0,0,'["!away",{"name":"~p15x"}]','',77,2586545609,'');
INSERT INTO "inputs" VALUES('t5',19,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',81,2341902535,'');
INSERT INTO "inputs" VALUES('t6',1,38000,1767323083000,'~bob2',0,0,'["!opening",{"settings":{"seats":4,"preset":"twentysix","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"8","decks":"2","jokers":"4","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"26","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":3,"start":true,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":false,"played":[]}]','["3D+3H+8S+AH+2S+KC+5D+5D+8S+AS+9H+4S+JD+2D+AD+6D+8C+QH+2H+KS+7C+2D+QD+4H+4H+7H+AS+3C+KH+TD+TS+AC+KD+7D+X+4C+5H+5C+2H+TC+2C+KH+JC+JS+9H+7C+QS+6D+8H+9C+9D+JS+3S+6C+8D+4D+QC+9D+7H+6S+TC+JD+AC+5H+QD+X+6H+4C+QC+3D+KC+5S+JC+QH+QS+KS+TD+AH+3S+5C+6C+2C+X+2S+TS+4S+3H+8H+KD+TH+6H+AD+JH+8C+4D+7D+9S+9S+X+9C+8D+TH+7S+5S+3C+7S+JH+6S", "9S+9H+6D+5C+JS+5S+8D+8S+3D+5H+6S+6C+TS+4H+3S+AC+8H+5C+7H+7D+QS+QS+AC+3H+8H+9D+TC+TD+7S+KH+QH+9D+4S+4D+5D+9S+QD+AD+5H+2D+2S+8S+7C+2D+TH+X+7H+AH+4C+2H+6H+TD+4D+JH+JD+KS+5D+3D+JD+AS+QH+4S+X+3C+KS+JS+7S+2H+4H+4C+TC+2C+7C+6D+5S+3S+TS+QC+KD+AH+AS+KC+JH+KC+AD+3C+JC+6H+9C+TH+KH+8C+X+JC+9C+KD+8D+7D+6C+2S+3H+6S+2C+9H+QD+8C+X+QC"]',50,2000334367,'');
INSERT INTO "inputs" VALUES('t6',2,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',51,784251064,'');
INSERT INTO "inputs" VALUES('t7',1,58000,1767323103000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"gamerules","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"4","first_size":"even","sequence":"bounce","blind_one":"no","start_score":"14","hook":"yes","fool":"choice"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',18,322207429,'');
INSERT INTO "inputs" VALUES('t7',2,58000,1767323103000,'~p17x',0,0,'["join",{"table":"t7"}]','',19,2600277847,'');
INSERT INTO "inputs" VALUES('t7',3,58000,1767323103000,'~p18x',0,0,'["join",{"table":"t7"}]','',20,2984704530,'');
INSERT INTO "inputs" VALUES('t7',4,58000,1767323103000,'~p19x',0,0,'["join",{"table":"t7"}]','',21,944971745,'');
INSERT INTO "inputs" VALUES('t7',5,58000,1767323103000,'zoe',0,0,'["option",{"key":"start_score","value":"30"}]','',22,1006327281,'');
INSERT INTO "inputs" VALUES('t7',6,58000,1767323103000,'~p17x',0,0,'["seed",{"word_":"kitten"}]','',23,148688085,'');
INSERT INTO "inputs" VALUES('t7',7,58000,1767323103000,'~p18x',0,0,'["say",{"text":"good luck"}]','',24,264286537,'');
INSERT INTO "inputs" VALUES('t7',8,58000,1767323103000,'~p17x',0,0,'["ready",{}]','',25,2109240259,'');
INSERT INTO "inputs" VALUES('t7',9,58000,1767323103000,'~p18x',0,0,'["ready",{}]','',26,4251724549,'');
INSERT INTO "inputs" VALUES('t7',10,58000,1767323103000,'~p19x',0,0,'["ready",{}]','',27,1443618673,'');
INSERT INTO "inputs" VALUES('t7',11,58000,1767323103000,'zoe',0,0,'["start",{}]','["2+3+4+1", "11+13+1+F+7+3+14+6+18+8+10+4+19+20+21+9+15+17+12+2+5+16"]',36,1877111684,'');
INSERT INTO "inputs" VALUES('t7',12,58500,1767323103500,'~p18x',0,0,'["move",{"token":"0"}]','',38,2791166437,'');
INSERT INTO "inputs" VALUES('t7',13,59000,1767323104000,'~p19x',0,0,'["move",{"token":"0"}]','',40,1552632187,'');
INSERT INTO "inputs" VALUES('t7',14,59500,1767323104500,'zoe',0,0,'["move",{"token":"0"}]','',42,2550157743,'');
INSERT INTO "inputs" VALUES('t7',15,60000,1767323105000,'~p17x',0,0,'["move",{"token":"0"}]','',45,335125765,'');
INSERT INTO "inputs" VALUES('t7',16,60500,1767323105500,'~p18x',0,0,'["move",{"token":"7"}]','',47,3394355688,'');
INSERT INTO "inputs" VALUES('t7',17,61000,1767323106000,'~p19x',0,0,'["move",{"token":"3"}]','',49,3584695903,'');
INSERT INTO "inputs" VALUES('t7',18,61500,1767323106500,'zoe',0,0,'["move",{"token":"1"}]','',51,2361388290,'');
INSERT INTO "inputs" VALUES('t7',19,62000,1767323107000,'~p17x',0,0,'["move",{"token":"F0"}]','',55,3199471206,'');
INSERT INTO "inputs" VALUES('t7',20,62500,1767323107500,'~p18x',0,0,'["move",{"token":"11"}]','',57,2628216583,'');
INSERT INTO "inputs" VALUES('t7',21,62500,1767323107500,'~p19x',0,0,'["!away",{"name":"~p19x"}]','',58,2663332377,'');
INSERT INTO "inputs" VALUES('t7',22,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',62,3370347087,'');
INSERT INTO "inputs" VALUES('t8',1,62500,1767323107500,'~ann3',0,0,'["!opening",{"settings":{"seats":4,"preset":"gamerules","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"4","first_size":"even","sequence":"bounce","blind_one":"no","start_score":"30","hook":"yes","fool":"choice"},"bots":0,"start":false,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":true,"played":[]}]','',18,511563024,'');
INSERT INTO "inputs" VALUES('t8',2,62500,1767323107500,'~p21x',0,0,'["join",{"table":"t8"}]','',19,2144594267,'');
INSERT INTO "inputs" VALUES('t8',3,62500,1767323107500,'~p22x',0,0,'["join",{"table":"t8"}]','',20,776256465,'');
INSERT INTO "inputs" VALUES('t8',4,62500,1767323107500,'~p23x',0,0,'["join",{"table":"t8"}]','',21,3235047816,'');
INSERT INTO "inputs" VALUES('t8',5,62500,1767323107500,'~p21x',0,0,'["ready",{}]','',22,3038760987,'');
INSERT INTO "inputs" VALUES('t8',6,62500,1767323107500,'~p22x',0,0,'["ready",{}]','',23,3563191874,'');
INSERT INTO "inputs" VALUES('t8',7,62500,1767323107500,'~p23x',0,0,'["ready",{}]','',24,4261311757,'');
INSERT INTO "inputs" VALUES('t8',8,62500,1767323107500,'~ann3',0,0,'["start",{}]','["3+2+1+4", "12+10+8+3+7+F+15+19+1+14+21+4+2+6+17+11+9+13+20+18+16+5"]',33,3218357134,'');
INSERT INTO "inputs" VALUES('t8',9,63000,1767323108000,'~p23x',0,0,'["move",{"token":"0"}]','',35,2178179616,'');
INSERT INTO "inputs" VALUES('t8',10,63500,1767323108500,'~ann3',0,0,'["move",{"token":"0"}]','',37,858170810,'');
INSERT INTO "inputs" VALUES('t8',11,64000,1767323109000,'~p21x',0,0,'["move",{"token":"0"}]','',39,969364435,'');
INSERT INTO "inputs" VALUES('t8',12,64500,1767323109500,'~p22x',0,0,'["move",{"token":"0"}]','',42,4057696183,'');
INSERT INTO "inputs" VALUES('t8',13,65000,1767323110000,'~p23x',0,0,'["move",{"token":"1"}]','',44,3448181179,'');
INSERT INTO "inputs" VALUES('t8',14,65500,1767323110500,'~ann3',0,0,'["move",{"token":"F0"}]','',46,1353830154,'');
INSERT INTO "inputs" VALUES('t8',15,66000,1767323111000,'~p21x',0,0,'["move",{"token":"8"}]','',48,470016142,'');
INSERT INTO "inputs" VALUES('t8',16,66500,1767323111500,'~p22x',0,0,'["move",{"token":"3"}]','',52,271630749,'');
INSERT INTO "inputs" VALUES('t8',17,67000,1767323112000,'~p21x',0,0,'["move",{"token":"15"}]','',54,1814062637,'');
INSERT INTO "inputs" VALUES('t8',18,67000,1767323112000,'~p23x',0,0,'["!away",{"name":"~p23x"}]','',55,3501161911,'');
INSERT INTO "inputs" VALUES('t8',19,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',59,540541550,'');
INSERT INTO "inputs" VALUES('t9',1,67000,1767323112000,'~bob3',0,0,'["!opening",{"settings":{"seats":4,"preset":"gamerules","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false,"day":"","entrant":"","lesson":0},"options":{"max_players":"4","first_size":"even","sequence":"bounce","blind_one":"no","start_score":"14","hook":"yes","fool":"choice"},"bots":3,"start":true,"grace":120000,"edition":1,"most_hands":500,"sought":false,"version":1,"protected":false,"played":[]}]','["3+1+2+4", "6+21+4+19+20+9+1+18+F+16+7+8+10+14+13+17+2+12+15+5+3+11"]',30,3431631096,'');
INSERT INTO "inputs" VALUES('t9',2,67000,1767323112000,'bot:steady3',0,0,'["move",{"token":"1","turn":1}]','',32,3374776144,'');
INSERT INTO "inputs" VALUES('t9',3,116000,1767323161000,'',0,0,'["!restarted",{"backup":false,"shared":false}]','',33,2145726448,'');
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
INSERT INTO "marks" VALUES('at',116000);
INSERT INTO "marks" VALUES('table',14);
INSERT INTO "marks" VALUES('game',15);
INSERT INTO "marks" VALUES('promise',15);
INSERT INTO "marks" VALUES('copy',0);
INSERT INTO "marks" VALUES('oldest',2);
CREATE TABLE members (
	name TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	CONSTRAINT members_pk PRIMARY KEY (name, table_id)
);
CREATE TABLE nodes (
	node TEXT NOT NULL, 
	epoch BIGINT NOT NULL, 
	beat BIGINT NOT NULL, 
	batch BIGINT NOT NULL, 
	state TEXT NOT NULL, 
	address TEXT NOT NULL, 
	version TEXT NOT NULL, 
	at BIGINT DEFAULT 0 NOT NULL, 
	promise BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT nodes_pk PRIMARY KEY (node)
);
INSERT INTO "nodes" VALUES('main',1,0,232,'stopped','','0.1.0',0,0);
CREATE TABLE people (
	name TEXT NOT NULL, 
	program BOOLEAN NOT NULL, 
	secret BLOB NOT NULL, 
	"before" BLOB NOT NULL, 
	since BIGINT DEFAULT 0 NOT NULL, 
	node TEXT DEFAULT '' NOT NULL, 
	who TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT people_pk PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('zoe',0,X'D8CC7AED3851AC3338FCC15DF3B6807B89125837F77A75B9ECB13ED2AFE3B49F',X'DF3E6B0BB66CEAADCA4F84CBC371FD66E04D20FE51FC414DA8D1B84D31D178DE',0,'main','zoe');
INSERT INTO "people" VALUES('~p1x',0,X'5D6B091416885EAA91283321B69DC526FC42C97783E4CDFDFF7A945E3BE1F9EF',X'',0,'main','~p1x');
INSERT INTO "people" VALUES('~p2x',0,X'4CB0EA499CA7177D32B4DEB6E251D0A8F857F91D078AF209B7D354528EF62201',X'',0,'main','~p2x');
INSERT INTO "people" VALUES('~p3x',0,X'AA1F6F7084D4030E09F5542AA22E7947A81CEC2966A251DA748CFB501ACE6DDC',X'',0,'main','~p3x');
INSERT INTO "people" VALUES('~ann',0,X'5495BF3E5FD103DC8DE35348E58F03CD1D5FFB46B7FD0EF77A4A7ACDF820925C',X'',4500,'main','~ann');
INSERT INTO "people" VALUES('~p5x',0,X'9C9F5D6241BD997ED1BD4A09E15C5BCFD3CA01B2171BDE39B4C7BAE9D2B0DDCD',X'',4500,'main','~p5x');
INSERT INTO "people" VALUES('~p6x',0,X'2E5901C443D2BDEB6120D13D7AB3701238E655E38F88D7DACA3DDC391A073B9F',X'',4500,'main','~p6x');
INSERT INTO "people" VALUES('~p7x',0,X'2E2AABA981B52E7FC2AC2EA6005B52F7EF657592D2A7794A47A7D8E489F00F9E',X'',4500,'main','~p7x');
INSERT INTO "people" VALUES('~bob',0,X'04CF1E890F970FAC4D4B4977D544278894FB3026B6319C32666966BF7717B219',X'',9000,'main','~bob');
INSERT INTO "people" VALUES('~p9x',0,X'0E93EF25C9FB2553425A36C7CA395CC8C33446EE1E7F0D0F05DF3DB2954AE77F',X'',29000,'main','~p9x');
INSERT INTO "people" VALUES('~p10x',0,X'21739C76445A0FAC0423A72DE7DAEF6731D8A5E9859B5A707C390244F67FDAFA',X'',29000,'main','~p10x');
INSERT INTO "people" VALUES('~p11x',0,X'730C945F6B0DB3EAC44BD3148E2D633807EEF1F14211A2F67F3AFA04FCD08CE4',X'',29000,'main','~p11x');
INSERT INTO "people" VALUES('~ann2',0,X'573265C4B1FF008CA396D4B9B228E57F846213E14CAC57E1D34ADA2F2359FD37',X'',33500,'main','~ann2');
INSERT INTO "people" VALUES('~p13x',0,X'9A531FA2878392A3832C340A7C35775687528AA02B6C3D607753A431A42C4D8D',X'',33500,'main','~p13x');
INSERT INTO "people" VALUES('~p14x',0,X'AFD27B1BFAFC7F3E82CBAC9EA6019BB7BBBD22CF3D00E24EB75018E990A0140B',X'',33500,'main','~p14x');
INSERT INTO "people" VALUES('~p15x',0,X'0C7A61DAA5F8BB2C019561D1CA35744CF0D996E5190A3C378C89A867E5AC2DBF',X'',33500,'main','~p15x');
INSERT INTO "people" VALUES('~bob2',0,X'64F499E1852D205FC53D2F339E350F7178A4C8CDC1FF3DD9ECA123F437080BB8',X'',38000,'main','~bob2');
INSERT INTO "people" VALUES('~p17x',0,X'4742B170F62B43E321B1910560CDB518F8A918605375380E9C440072E448DD74',X'',58000,'main','~p17x');
INSERT INTO "people" VALUES('~p18x',0,X'C3A14A08C0C71945160C9D8B003C312479EB364E0DC36539B3E8E2488118167B',X'',58000,'main','~p18x');
INSERT INTO "people" VALUES('~p19x',0,X'A3966F19BD48E44231E68436DC653802E700CA0782AE31A9A8295F4AAA6DADCC',X'',58000,'main','~p19x');
INSERT INTO "people" VALUES('~ann3',0,X'4CBBFD6E484C3272C715761273B212572A496B3161DFCEB7FB303E0D8A1F715E',X'',62500,'main','~ann3');
INSERT INTO "people" VALUES('~p21x',0,X'684C0088ED41BC200EFD8A62DAAF7592787477031ED8A51E8942F2EA6F13A041',X'',62500,'main','~p21x');
INSERT INTO "people" VALUES('~p22x',0,X'B8692DC8B53927329FFBE85887A7CD24D81962948C5FF5752AFF503F10980794',X'',62500,'main','~p22x');
INSERT INTO "people" VALUES('~p23x',0,X'C2DA3ECF2801322ED6057089367456A0570DC7BCA1542A24A82CA8489DF61154',X'',62500,'main','~p23x');
INSERT INTO "people" VALUES('~bob3',0,X'06D782C29232F7C169176CCB80133C97060881BEEA9CB7BB3D2F1465A5FB554A',X'',67000,'main','~bob3');
INSERT INTO "people" VALUES('~p25x',0,X'5D37A7D99B3E2C271B48E120EA39CE89FAB4051741BA43951AB2EA0AEEE22849',X'',87000,'main','~p25x');
INSERT INTO "people" VALUES('~p26x',0,X'788A12E3EEE8029BAFC6E12CFD849ED7098660BBE1194C8619AC123C852C2723',X'',87000,'main','~p26x');
INSERT INTO "people" VALUES('~p27x',0,X'DF38C6510FAD50A55D484A350B2B5D5E78E5BB85DF714373E658ED717CF98973',X'',87000,'main','~p27x');
INSERT INTO "people" VALUES('~ann4',0,X'A5C728B26421122EA08C36296178DB13F30D39689779E665B6A61CEB9D370A40',X'',91500,'main','~ann4');
INSERT INTO "people" VALUES('~p29x',0,X'4C52C555DAE75555BD6A17DF648CE3396C3DAD9CBC6A582237C9083F4E0B055A',X'',91500,'main','~p29x');
INSERT INTO "people" VALUES('~p30x',0,X'C519A533A1AF860132F3340D4928FE300CA53AD1E7670CBC62A9B6397A73CA2B',X'',91500,'main','~p30x');
INSERT INTO "people" VALUES('~p31x',0,X'A3A08172E4D5F41FC4AAAFEB0792EEE24AB68AD90BFA8D4547BAA0C2C34C4696',X'',91500,'main','~p31x');
INSERT INTO "people" VALUES('~bob4',0,X'784BCDFF679591FDEAE3DAF26E6877CEA5D23CF6AFE1BDC08AE10E80DC3F3B36',X'',96000,'main','~bob4');
INSERT INTO "people" VALUES('yan',0,X'2555181016CD18060DC194F61B25777A1D800E7802890C443F5E11412D587149',X'2CA58E21F956D193D129E4045028206A3D55CCA1191202613167F4542969A5E7',116000,'main','yan');
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
INSERT INTO "players" VALUES('yan','g13','twentytwo',1767323161000,13);
INSERT INTO "players" VALUES('zoe','g13','twentytwo',1767323161000,13);
CREATE TABLE promises (
	no BIGINT NOT NULL, 
	game TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	alg TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	chain TEXT NOT NULL, 
	log TEXT DEFAULT '' NOT NULL, 
	handovers BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT promises_pk PRIMARY KEY (log, no), 
	CONSTRAINT promises_game_unique UNIQUE (game)
);
INSERT INTO "promises" VALUES(1,'g1','t1','fd1','3678a9cdace961116a27888f03ba9661ab5f8204bbcf89b40c537da58aec56bd',1767323045000,'9499d2193870ea6636d2311d10afebda428d74fd66f268ab86f728e527c8db09','',0);
INSERT INTO "promises" VALUES(2,'g2','t2','fd1','0c5a417992da5589cedaae8e1f4df25da4f6b9f32791ffd83e32ed7f65c7b886',1767323049500,'f7375d45b4a07f3d59ef61fc26f35958005e7f2873867afdbfcb04be4d29db7e','',0);
INSERT INTO "promises" VALUES(3,'g3','t3','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323054000,'b4439653cdb3b757a1595fbca8da79111b32fd5625022402b57a5c1bf40bf85d','',0);
INSERT INTO "promises" VALUES(4,'g4','t4','fd1','5ec936697b30509f7e145c2d852ebbe070665129fc3d4f32a49675d079fe8a7d',1767323074000,'c2b0a57894fd462760f126f4593a76317e93fc476f9628cf170ba1eac476d2c0','',0);
INSERT INTO "promises" VALUES(5,'g5','t5','fd1','33a0329d0ea116d76ab743b6c170bf3ac8e9a7f811c83c8d8bf219daf257da42',1767323078500,'3b550773596c3dd1a6331956f81b367210fe36986bfe7e934157a649c4cd8592','',0);
INSERT INTO "promises" VALUES(6,'g6','t6','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323083000,'cd25405e0120e015260f10afad4f0906c9362e8c22acc289ac3c02a544036649','',0);
INSERT INTO "promises" VALUES(7,'g7','t7','fd1','ba99bceefeace22cd8d3a5d3642ad61539799a1a64e66779ff1a31b1d70ecd81',1767323103000,'c290097c1c138818c564332be37237ed29cb826ea6d45346b766a85f5ec3e44e','',0);
INSERT INTO "promises" VALUES(8,'g8','t8','fd1','32f793f709acbe339567af74902c3de10dde3658754d87ba1f556ed13c68a10c',1767323107500,'0fab5b735d5ef5215639dff8113213c675fb819853423bebb295995c816438fb','',0);
INSERT INTO "promises" VALUES(9,'g9','t9','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323112000,'a4132165fa68b686d228a6ad422c4e642815c4261436ebda87e8a7136e126f51','',0);
INSERT INTO "promises" VALUES(10,'g10','t10','fd1','74c81b5ef2b65886be63c184586ad855a9de5a1ff87430f23ec621b7e9e6db4a',1767323132000,'c1d99dd85d713d14e132667d7d21074eb50cd105392a5e7062332f7a747d242c','',0);
INSERT INTO "promises" VALUES(11,'g11','t11','fd1','e6f8da359993b55871cf211ccbeeb6d02d2638be2e901c105b61bff51d0e6c8e',1767323136500,'5187c6f398623e1fb47b0cb352a2c1dbd358ddc32ab403fd5e8cab3d808a9140','',0);
INSERT INTO "promises" VALUES(12,'g12','t12','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323141000,'37407f3c208a35d2bb670824f6ad460ce41e746f8fc78fd34cbe33fd3d3bd12e','',0);
INSERT INTO "promises" VALUES(13,'g13','t13','fd1','e57e1b340b5348fa07e15427fa8a1739cd3468a246f26b7ea5b1f9290e0a4a74',1767323161000,'96675f8e99f24d3106ad03ee3dbf998b0638cb45938d60562ec18c7e1b39fdac','',0);
INSERT INTO "promises" VALUES(14,'g14','t13','fd1','cea66e9374260508a54e26f613ba11f63983baa571b147f1120fe6986ac13fc7',1767323161000,'c2daee5d217089fa068a82ae3ee58287b9d5eec9f1f51f9d9b7555a7b41e5ae7','',0);
INSERT INTO "promises" VALUES(15,'g15','t14','daily','d80b71c3c780c1dfa62687b526b5adb7ee8d9fbc521864934708469fb64290df',1767323161000,'2a84708d3bf4babc477524d5da5ee088d3bfabd3f6286ecb108f64284636303d','',0);
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
	untold TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT rating_log_pk PRIMARY KEY (pool, "key", rules, name, games)
);
INSERT INTO "rating_log" VALUES('people','twentytwo','pagat','zoe','zoe',2.76353894931404973087e+01,8.06590141354368,1,1767323161000,'');
INSERT INTO "rating_log" VALUES('people','twentytwo','pagat','yan','yan',2.23646105068595026912e+01,8.06590141354368,1,1767323161000,'');
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
INSERT INTO "ratings" VALUES('people','twentytwo','pagat','zoe','zoe',2.76353894931404973087e+01,8.06590141354368,1,1767323161000,3.43768525250945700122e+00);
INSERT INTO "ratings" VALUES('people','twentytwo','pagat','yan','yan',2.23646105068595026912e+01,8.06590141354368,1,1767323161000,-1.83309373377153761452e+00);
CREATE TABLE records (
	game TEXT NOT NULL, 
	record TEXT NOT NULL, 
	CONSTRAINT records_pk PRIMARY KEY (game), 
	CONSTRAINT records_game_known FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "records" VALUES('g13','twentytwo-record 1
id g13
game twentytwo
version 1
rules pagat
option max_players 12
option decks auto
option jokers 0
option direction cw
option first_dealer draw
option first_hand 7
option hand_size loser_card
option exchange on
option heading optional
option bar best
option winner bar
option straights off
option straight_min 3
option straight_max 0
option straight_suited no
option points 11/10
option keep_cards yes
option dead_cards out
option limit 22
option dealer loser
option dealer_tie draw
option eliminated_deals yes
option all_out shared
seats 2
name 1 zoe
name 2 yan
began 2026-01-02T03:06:01.000Z
ended 2026-01-02T03:06:01.000Z
fair fd1 e57e1b340b5348fa07e15427fa8a1739cd3468a246f26b7ea5b1f9290e0a4a74
sealed 13
seed 0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d
words -,-
end resigned
result 1 1 0 1
result 2 2 0 0

0 shuffle QD+9D+4D+5S+6S+QH+TS+3S+8C+5H+JH+9S+AS+2S+AD+QC+JC+6H+4S+8D+6D+AC+4C+8H+TC+3C+KH+2D+2C+KS+QS+KC+KD+7S+7C+2H+5D+9H+TD+AH+9C+4H+JS+7H+5C+7D+3H+JD+3D+6C+TH+8S
0 shuffle 7H+9D+9S+8S+7C+2C+3H+4D+3D+9H+6D+5D+8H+5C+KD+5H+TC+2H+9C+5S+TD+AC+4S+QH+JD+2D+7S+TS+8D+KS+AS+4C+QD+JS+8C+6H+KH+4H+3C+6S+KC+JH+AH+TH+QS+2S+6C+QC+7D+JC+3S+AD
');
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
	told BOOLEAN NOT NULL, 
	place TEXT DEFAULT '' NOT NULL, 
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
CREATE TABLE schema_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT schema_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "schema_version" VALUES('0010');
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
INSERT INTO "seats" VALUES('g13',1,'zoe','',1,0);
INSERT INTO "seats" VALUES('g13',2,'yan','',2,0);
CREATE TABLE secrets (
	name TEXT NOT NULL, 
	secret TEXT NOT NULL, 
	CONSTRAINT secrets_pk PRIMARY KEY (name)
)
 WITHOUT ROWID

;
INSERT INTO "secrets" VALUES('scram','token56');
CREATE TABLE seeds (
	no BIGINT NOT NULL, 
	seed TEXT NOT NULL, 
	log TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT seeds_pk PRIMARY KEY (log, no), 
	CONSTRAINT seeds_no_known FOREIGN KEY(log, no) REFERENCES promises (log, no)
);
INSERT INTO "seeds" VALUES(1,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006','');
INSERT INTO "seeds" VALUES(2,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000b','');
INSERT INTO "seeds" VALUES(3,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5','');
INSERT INTO "seeds" VALUES(4,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010','');
INSERT INTO "seeds" VALUES(5,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000015','');
INSERT INTO "seeds" VALUES(6,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5','');
INSERT INTO "seeds" VALUES(7,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001a','');
INSERT INTO "seeds" VALUES(8,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001f','');
INSERT INTO "seeds" VALUES(9,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5','');
INSERT INTO "seeds" VALUES(10,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000024','');
INSERT INTO "seeds" VALUES(11,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000029','');
INSERT INTO "seeds" VALUES(12,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5','');
INSERT INTO "seeds" VALUES(13,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002d','');
INSERT INTO "seeds" VALUES(14,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002e','');
INSERT INTO "seeds" VALUES(15,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000030','');
CREATE TABLE seeks (
	no INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	program BOOLEAN NOT NULL, 
	node TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	players BIGINT NOT NULL, 
	preset TEXT NOT NULL, 
	options TEXT NOT NULL, 
	taker TEXT DEFAULT '' NOT NULL, 
	tag TEXT DEFAULT '' NOT NULL, 
	CONSTRAINT seeks_pk PRIMARY KEY (no)
);
CREATE TABLE ssh_keys (
	who TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	digest BLOB NOT NULL, 
	label TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT ssh_keys_pk PRIMARY KEY (who, number), 
	CONSTRAINT ssh_keys_who_known FOREIGN KEY(who) REFERENCES accounts (who)
);
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
	node TEXT DEFAULT '' NOT NULL, 
	handovers BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT tables_pk PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('t1',1,'twentytwo',1767323045000,NULL,'main',0);
INSERT INTO "tables" VALUES('t2',2,'twentytwo',1767323049500,NULL,'main',0);
INSERT INTO "tables" VALUES('t3',3,'twentytwo',1767323054000,NULL,'main',0);
INSERT INTO "tables" VALUES('t4',4,'twentysix',1767323074000,NULL,'main',0);
INSERT INTO "tables" VALUES('t5',5,'twentysix',1767323078500,NULL,'main',0);
INSERT INTO "tables" VALUES('t6',6,'twentysix',1767323083000,NULL,'main',0);
INSERT INTO "tables" VALUES('t7',7,'whist22',1767323103000,NULL,'main',0);
INSERT INTO "tables" VALUES('t8',8,'whist22',1767323107500,NULL,'main',0);
INSERT INTO "tables" VALUES('t9',9,'whist22',1767323112000,NULL,'main',0);
INSERT INTO "tables" VALUES('t10',10,'twentyeight',1767323132000,NULL,'main',0);
INSERT INTO "tables" VALUES('t11',11,'twentyeight',1767323136500,NULL,'main',0);
INSERT INTO "tables" VALUES('t12',12,'twentyeight',1767323141000,NULL,'main',0);
INSERT INTO "tables" VALUES('t13',13,'twentytwo',1767323161000,NULL,'main',0);
INSERT INTO "tables" VALUES('t14',14,'twentytwo',1767323161000,NULL,'main',0);
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
INSERT INTO "tokens" VALUES('yan',1,X'296E770F85FFCFFB3694F64EA90B871BE1BD7E4580205A1090D364BF17168D31','laptop',1767323161000);
CREATE TABLE words (
	word TEXT NOT NULL, 
	table_id TEXT NOT NULL, 
	node TEXT NOT NULL, 
	epoch BIGINT NOT NULL, 
	CONSTRAINT words_pk PRIMARY KEY (word)
);
CREATE UNIQUE INDEX nodes_serving ON nodes (state) WHERE state = 'serving';
CREATE INDEX tables_open ON tables (number) WHERE closed IS NULL;
CREATE INDEX promises_by_table_id ON promises (table_id);
CREATE INDEX games_past ON games (public, ended, number);
CREATE INDEX games_past_of_key ON games (public, "key", ended, number);
CREATE INDEX games_rated ON games ("key", rules, ended) WHERE rated;
CREATE INDEX ratings_best ON ratings (pool, "key", rules, score);
CREATE INDEX ratings_by_who ON ratings (who);
CREATE INDEX rating_log_by_who ON rating_log (who);
CREATE INDEX rating_log_untold ON rating_log (who) WHERE untold != '';
CREATE INDEX members_by_table_id ON members (table_id);
CREATE INDEX daily_entries_untold ON daily_entries (who) WHERE untold;
CREATE INDEX daily_entries_of ON daily_entries (who, day);
CREATE INDEX reports_open ON reports (closed, told);
CREATE INDEX players_past_of_key ON players (who, "key", ended, number);
CREATE INDEX players_past ON players (who, ended, number);
COMMIT;
