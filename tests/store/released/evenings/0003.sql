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
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE blocks (
	name TEXT NOT NULL, 
	blocked TEXT NOT NULL, 
	CONSTRAINT blocks_pk PRIMARY KEY (name)
);
CREATE TABLE boots (
	no INTEGER NOT NULL, 
	boot TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	CONSTRAINT boots_pk PRIMARY KEY (no)
);
INSERT INTO "boots" VALUES(1,'boot',0,1767323045000);
INSERT INTO "boots" VALUES(2,'boot',100000,1767323161000);
CREATE TABLE dues (
	game TEXT NOT NULL, 
	pool TEXT NOT NULL, 
	CONSTRAINT dues_pk PRIMARY KEY (game), 
	CONSTRAINT dues_game_known FOREIGN KEY(game) REFERENCES games (id)
);
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
	last BIGINT NOT NULL, at BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT games_pk PRIMARY KEY (id)
);
CREATE TABLE inbox (
	name TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	wall BIGINT NOT NULL, 
	line TEXT NOT NULL, 
	CONSTRAINT inbox_pk PRIMARY KEY (name, seq)
)
 WITHOUT ROWID

;
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
INSERT INTO "inputs" VALUES('t1',1,0,1767323045000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"22","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000}]','',34,992936063,'');
INSERT INTO "inputs" VALUES('t1',2,0,1767323045000,'~p1x',0,0,'["join",{"table":"t1"}]','',35,77550741,'');
INSERT INTO "inputs" VALUES('t1',3,0,1767323045000,'~p2x',0,0,'["join",{"table":"t1"}]','',36,3114610692,'');
INSERT INTO "inputs" VALUES('t1',4,0,1767323045000,'~p3x',0,0,'["join",{"table":"t1"}]','',37,1898188142,'');
INSERT INTO "inputs" VALUES('t1',5,0,1767323045000,'zoe',0,0,'["option",{"key":"limit","value":"30","table":"t1"}]','',38,274709560,'');
INSERT INTO "inputs" VALUES('t1',6,0,1767323045000,'~p1x',0,0,'["seed",{"word_":"kitten","table":"t1"}]','',39,2761679578,'');
INSERT INTO "inputs" VALUES('t1',7,0,1767323045000,'~p2x',0,0,'["say",{"text":"t1 :good luck"}]','',40,3254707219,'');
INSERT INTO "inputs" VALUES('t1',8,0,1767323045000,'~p1x',0,0,'["ready",{"table":"t1"}]','',41,586513097,'');
INSERT INTO "inputs" VALUES('t1',9,0,1767323045000,'~p2x',0,0,'["ready",{"table":"t1"}]','',42,3628825500,'');
INSERT INTO "inputs" VALUES('t1',10,0,1767323045000,'~p3x',0,0,'["ready",{"table":"t1"}]','',43,1489568510,'');
INSERT INTO "inputs" VALUES('t1',11,0,1767323045000,'zoe',0,0,'["start",{"table":"t1"}]','["AS+TH+4C+KS+8S+8H+QH+9D+7S+7D+9H+9S+3H+5D+3D+8C+2C+5C+AD+KH+8D+7H+3S+2S+TS+5H+JD+2D+5S+JC+QD+QC+TD+KC+3C+6C+JH+TC+6S+AC+AH+6D+KD+7C+4S+QS+2H+6H+4D+9C+4H+JS", "8H+TC+KS+TD+7D+4D+QH+TS+7S+3S+9S+9C+3D+8S+2D+5H+AD+4S+5C+7H+JC+KC+AH+QD+JS+9D+AS+AC+3H+KD+5S+JD+6C+9H+2S+2C+4C+5D+3C+KH+6D+QS+QC+2H+4H+8C+JH+TH+8D+7C+6H+6S"]',56,1701596758,'');
INSERT INTO "inputs" VALUES('t1',12,500,1767323045500,'~p1x',0,0,'["move",{"token":"-","table":"t1"}]','',58,2125043283,'');
INSERT INTO "inputs" VALUES('t1',13,1000,1767323046000,'~p2x',0,0,'["move",{"token":"-","table":"t1"}]','',60,2015330117,'');
INSERT INTO "inputs" VALUES('t1',14,1500,1767323046500,'~p3x',0,0,'["move",{"token":"-","table":"t1"}]','',62,2028210780,'');
INSERT INTO "inputs" VALUES('t1',15,2000,1767323047000,'zoe',0,0,'["move",{"token":"-","table":"t1"}]','',65,889534552,'');
INSERT INTO "inputs" VALUES('t1',16,2500,1767323047500,'~p1x',0,0,'["move",{"token":"3","table":"t1"}]','',67,1150439231,'');
INSERT INTO "inputs" VALUES('t1',17,3000,1767323048000,'~p2x',0,0,'["move",{"token":"3","table":"t1"}]','',69,798714016,'');
INSERT INTO "inputs" VALUES('t1',18,3500,1767323048500,'~p3x',0,0,'["move",{"token":"2","table":"t1"}]','',71,3068998180,'');
INSERT INTO "inputs" VALUES('t1',19,4000,1767323049000,'zoe',0,0,'["move",{"token":"5","table":"t1"}]','',75,541424722,'');
INSERT INTO "inputs" VALUES('t1',20,4500,1767323049500,'zoe',0,0,'["move",{"token":"7","table":"t1"}]','',77,2914711943,'');
INSERT INTO "inputs" VALUES('t1',21,4500,1767323049500,'~p3x',0,0,'["!away",{"name":"~p3x"}]','',78,1259604476,'');
INSERT INTO "inputs" VALUES('t1',22,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',82,3641105787,'');
INSERT INTO "inputs" VALUES('t10',1,87000,1767323132000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"seed","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"order":"seed","call":"mandatory","must_trump":"always","early_trump":"no","pass_out":"no","target":"10","loss_limit":"0","redeal_no_points":"no"},"bots":0,"start":false,"grace":120000}]','',19,705239308,'');
INSERT INTO "inputs" VALUES('t10',2,87000,1767323132000,'~p25x',0,0,'["join",{"table":"t10"}]','',20,2857975600,'');
INSERT INTO "inputs" VALUES('t10',3,87000,1767323132000,'~p26x',0,0,'["join",{"table":"t10"}]','',21,3849350434,'');
INSERT INTO "inputs" VALUES('t10',4,87000,1767323132000,'~p27x',0,0,'["join",{"table":"t10"}]','',22,1634187643,'');
INSERT INTO "inputs" VALUES('t10',5,87000,1767323132000,'zoe',0,0,'["option",{"key":"loss_limit","value":"40","table":"t10"}]','',23,1598072576,'');
INSERT INTO "inputs" VALUES('t10',6,87000,1767323132000,'~p25x',0,0,'["seed",{"word_":"kitten","table":"t10"}]','',24,754282640,'');
INSERT INTO "inputs" VALUES('t10',7,87000,1767323132000,'~p26x',0,0,'["say",{"text":"t10 :good luck"}]','',25,1759329269,'');
INSERT INTO "inputs" VALUES('t10',8,87000,1767323132000,'~p25x',0,0,'["ready",{"table":"t10"}]','',26,1903747766,'');
INSERT INTO "inputs" VALUES('t10',9,87000,1767323132000,'~p26x',0,0,'["ready",{"table":"t10"}]','',27,3729094374,'');
INSERT INTO "inputs" VALUES('t10',10,87000,1767323132000,'~p27x',0,0,'["ready",{"table":"t10"}]','',28,4292306980,'');
INSERT INTO "inputs" VALUES('t10',11,87000,1767323132000,'zoe',0,0,'["start",{"table":"t10"}]','["1+3+4+2", "JH+9C+AC+QD+JD+KH+AS+8H+JC+QS+TS+KS+QC+AD+AH+TH+8D+9D+7C+KC+QH+TD+7H+KD+8C+JS+8S+9S+9H+TC+7D+7S"]',37,3248982676,'');
INSERT INTO "inputs" VALUES('t10',12,87500,1767323132500,'~p25x',0,0,'["move",{"token":"14","table":"t10"}]','',39,3998275686,'');
INSERT INTO "inputs" VALUES('t10',13,88000,1767323133000,'~p26x',0,0,'["move",{"token":"pass","table":"t10"}]','',41,2928012553,'');
INSERT INTO "inputs" VALUES('t10',14,88500,1767323133500,'~p27x',0,0,'["move",{"token":"pass","table":"t10"}]','',43,1923456138,'');
INSERT INTO "inputs" VALUES('t10',15,89000,1767323134000,'zoe',0,0,'["move",{"token":"pass","table":"t10"}]','',46,452528963,'');
INSERT INTO "inputs" VALUES('t10',16,89500,1767323134500,'~p25x',0,0,'["move",{"token":"QC","table":"t10"}]','',53,2381241508,'');
INSERT INTO "inputs" VALUES('t10',17,90000,1767323135000,'~p25x',0,0,'["move",{"token":"8D","table":"t10"}]','',55,2128488965,'');
INSERT INTO "inputs" VALUES('t10',18,90500,1767323135500,'~p26x',0,0,'["move",{"token":"TD","table":"t10"}]','',57,1717461354,'');
INSERT INTO "inputs" VALUES('t10',19,91000,1767323136000,'~p27x',0,0,'["move",{"token":"7D","table":"t10"}]','',59,1818244228,'');
INSERT INTO "inputs" VALUES('t10',20,91500,1767323136500,'zoe',0,0,'["move",{"token":"QD","table":"t10"}]','',63,30358600,'');
INSERT INTO "inputs" VALUES('t10',21,91500,1767323136500,'~p27x',0,0,'["!away",{"name":"~p27x"}]','',64,2604257707,'');
INSERT INTO "inputs" VALUES('t10',22,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',68,3474212109,'');
INSERT INTO "inputs" VALUES('t11',1,91500,1767323136500,'~ann4',0,0,'["!opening",{"settings":{"seats":4,"preset":"seed","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"order":"seed","call":"mandatory","must_trump":"always","early_trump":"no","pass_out":"no","target":"10","loss_limit":"40","redeal_no_points":"no"},"bots":0,"start":false,"grace":120000}]','',19,4006006783,'');
INSERT INTO "inputs" VALUES('t11',2,91500,1767323136500,'~p29x',0,0,'["join",{"table":"t11"}]','',20,3678663446,'');
INSERT INTO "inputs" VALUES('t11',3,91500,1767323136500,'~p30x',0,0,'["join",{"table":"t11"}]','',21,1331222449,'');
INSERT INTO "inputs" VALUES('t11',4,91500,1767323136500,'~p31x',0,0,'["join",{"table":"t11"}]','',22,2520047835,'');
INSERT INTO "inputs" VALUES('t11',5,91500,1767323136500,'~p29x',0,0,'["ready",{"table":"t11"}]','',23,2787995663,'');
INSERT INTO "inputs" VALUES('t11',6,91500,1767323136500,'~p30x',0,0,'["ready",{"table":"t11"}]','',24,3695879062,'');
INSERT INTO "inputs" VALUES('t11',7,91500,1767323136500,'~p31x',0,0,'["ready",{"table":"t11"}]','',25,1316137905,'');
INSERT INTO "inputs" VALUES('t11',8,91500,1767323136500,'~ann4',0,0,'["start",{"table":"t11"}]','["1+3+2+4", "QD+TD+8H+7D+AS+8D+7H+7S+7C+KH+9C+TH+QC+JH+AD+KD+JS+QH+9S+AH+TS+8S+JC+TC+9H+QS+KC+AC+8C+JD+9D+KS"]',34,3533461533,'');
INSERT INTO "inputs" VALUES('t11',9,92000,1767323137000,'~p29x',0,0,'["move",{"token":"14","table":"t11"}]','',36,1277672100,'');
INSERT INTO "inputs" VALUES('t11',10,92500,1767323137500,'~p30x',0,0,'["move",{"token":"pass","table":"t11"}]','',38,2070645713,'');
INSERT INTO "inputs" VALUES('t11',11,93000,1767323138000,'~p31x',0,0,'["move",{"token":"pass","table":"t11"}]','',40,4291071688,'');
INSERT INTO "inputs" VALUES('t11',12,93500,1767323138500,'~ann4',0,0,'["move",{"token":"pass","table":"t11"}]','',43,577045208,'');
INSERT INTO "inputs" VALUES('t11',13,94000,1767323139000,'~p29x',0,0,'["move",{"token":"7C","table":"t11"}]','',50,1574297396,'');
INSERT INTO "inputs" VALUES('t11',14,94500,1767323139500,'~p29x',0,0,'["move",{"token":"TS","table":"t11"}]','',52,737865974,'');
INSERT INTO "inputs" VALUES('t11',15,95000,1767323140000,'~p30x',0,0,'["move",{"token":"8S","table":"t11"}]','',54,2646210659,'');
INSERT INTO "inputs" VALUES('t11',16,95500,1767323140500,'~p31x',0,0,'["move",{"token":"9S","table":"t11"}]','',56,3011772339,'');
INSERT INTO "inputs" VALUES('t11',17,96000,1767323141000,'~ann4',0,0,'["move",{"token":"7S","table":"t11"}]','',60,632307795,'');
INSERT INTO "inputs" VALUES('t11',18,96000,1767323141000,'~p31x',0,0,'["!away",{"name":"~p31x"}]','',61,725856068,'');
INSERT INTO "inputs" VALUES('t11',19,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',65,81959742,'');
INSERT INTO "inputs" VALUES('t12',1,96000,1767323141000,'~bob4',0,0,'["!opening",{"settings":{"seats":4,"preset":"seed","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false},"options":{"order":"seed","call":"mandatory","must_trump":"always","early_trump":"no","pass_out":"no","target":"10","loss_limit":"0","redeal_no_points":"no"},"bots":3,"start":true,"grace":120000}]','["3+1+2+4", "AS+7D+7C+7H+8D+9H+JH+9C+TH+QC+QH+AC+AH+QD+JC+JS+KC+8H+QS+7S+TD+TS+8C+TC+KS+AD+KH+8S+JD+KD+9S+9D"]',31,1043670639,'');
INSERT INTO "inputs" VALUES('t12',2,96000,1767323141000,'bot:steady3',0,0,'["move",{"token":"14","turn":1}]','',33,3720952322,'');
INSERT INTO "inputs" VALUES('t12',3,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',34,997242549,'');
INSERT INTO "inputs" VALUES('t2',1,4500,1767323049500,'~ann',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"30","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000}]','',34,3388406255,'');
INSERT INTO "inputs" VALUES('t2',2,4500,1767323049500,'~p5x',0,0,'["join",{"table":"t2"}]','',35,4130216108,'');
INSERT INTO "inputs" VALUES('t2',3,4500,1767323049500,'~p6x',0,0,'["join",{"table":"t2"}]','',36,3665398396,'');
INSERT INTO "inputs" VALUES('t2',4,4500,1767323049500,'~p7x',0,0,'["join",{"table":"t2"}]','',37,1858737057,'');
INSERT INTO "inputs" VALUES('t2',5,4500,1767323049500,'~p5x',0,0,'["ready",{"table":"t2"}]','',38,2188340253,'');
INSERT INTO "inputs" VALUES('t2',6,4500,1767323049500,'~p6x',0,0,'["ready",{"table":"t2"}]','',39,1630982984,'');
INSERT INTO "inputs" VALUES('t2',7,4500,1767323049500,'~p7x',0,0,'["ready",{"table":"t2"}]','',40,2678562861,'');
INSERT INTO "inputs" VALUES('t2',8,4500,1767323049500,'~ann',0,0,'["start",{"table":"t2"}]','["QH+8S+7S+3H+TH+8D+2H+5H+KC+4S+2C+QD+9H+KH+AD+9D+JS+8C+5S+7D+9C+3C+JH+3S+6D+4H+2D+TC+6S+AC+6H+QS+4D+5D+7H+TS+KD+9S+TD+2S+AS+QC+8H+4C+5C+AH+JC+6C+KS+JD+7C+3D", "8H+6S+KC+KS+9C+9H+8S+8C+TC+3C+7C+AD+5H+7S+2H+QD+7D+2D+JD+TS+9S+AS+QH+5S+9D+6C+5C+2C+4S+6D+QS+QC+4C+3D+AH+TH+4H+JH+4D+TD+KH+KD+2S+6H+8D+AC+JS+7H+5D+JC+3H+3S"]',53,2186665150,'');
INSERT INTO "inputs" VALUES('t2',9,5000,1767323050000,'~p5x',0,0,'["move",{"token":"-","table":"t2"}]','',55,2748799058,'');
INSERT INTO "inputs" VALUES('t2',10,5500,1767323050500,'~p6x',0,0,'["move",{"token":"-","table":"t2"}]','',57,2165578476,'');
INSERT INTO "inputs" VALUES('t2',11,6000,1767323051000,'~p7x',0,0,'["move",{"token":"-","table":"t2"}]','',59,3598770137,'');
INSERT INTO "inputs" VALUES('t2',12,6500,1767323051500,'~ann',0,0,'["move",{"token":"-","table":"t2"}]','',62,2151706606,'');
INSERT INTO "inputs" VALUES('t2',13,7000,1767323052000,'~p5x',0,0,'["move",{"token":"5","table":"t2"}]','',64,2375611735,'');
INSERT INTO "inputs" VALUES('t2',14,7500,1767323052500,'~p6x',0,0,'["move",{"token":"2","table":"t2"}]','',66,1048620309,'');
INSERT INTO "inputs" VALUES('t2',15,8000,1767323053000,'~p7x',0,0,'["move",{"token":"2","table":"t2"}]','',68,2847705104,'');
INSERT INTO "inputs" VALUES('t2',16,8500,1767323053500,'~ann',0,0,'["move",{"token":"2","table":"t2"}]','',72,3128163078,'');
INSERT INTO "inputs" VALUES('t2',17,9000,1767323054000,'~p5x',0,0,'["move",{"token":"7","table":"t2"}]','',74,4248701603,'');
INSERT INTO "inputs" VALUES('t2',18,9000,1767323054000,'~p7x',0,0,'["!away",{"name":"~p7x"}]','',75,411101939,'');
INSERT INTO "inputs" VALUES('t2',19,100000,1767323145000,'',0,0,'["!turnover",{"turn":10}]','',78,4214024835,'');
INSERT INTO "inputs" VALUES('t2',20,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',82,2999447140,'');
INSERT INTO "inputs" VALUES('t3',1,9000,1767323054000,'~bob',0,0,'["!opening",{"settings":{"seats":4,"preset":"pagat","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false},"options":{"max_players":"12","decks":"auto","jokers":"0","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"22","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":3,"start":true,"grace":120000}]','["TS+8S+2D+KC+5H+2S+QH+7C+3D+JC+4H+4D+9C+QS+KD+4C+3H+JD+6D+8C+6H+AH+2C+AS+5D+9H+7H+6C+8H+2H+KH+AD+JS+QC+KS+7D+5C+TC+TD+9D+AC+QD+8D+4S+TH+7S+5S+3C+JH+9S+3S+6S", "2D+TD+7D+4H+5H+QH+5D+5C+2S+AC+4D+6C+4C+KS+JS+QD+2C+JD+3S+KC+6S+7H+JH+8C+AH+2H+9D+QS+7S+7C+6D+8H+8S+9H+TS+KD+KH+AD+9S+3C+TH+8D+AS+3H+5S+9C+JC+4S+6H+3D+TC+QC"]',50,1169588392,'');
INSERT INTO "inputs" VALUES('t3',2,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',51,1892275913,'');
INSERT INTO "inputs" VALUES('t4',1,29000,1767323074000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"twentysix","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"max_players":"8","decks":"2","jokers":"4","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"26","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000}]','',34,829986389,'');
INSERT INTO "inputs" VALUES('t4',2,29000,1767323074000,'~p9x',0,0,'["join",{"table":"t4"}]','',35,1184089431,'');
INSERT INTO "inputs" VALUES('t4',3,29000,1767323074000,'~p10x',0,0,'["join",{"table":"t4"}]','',36,3168668762,'');
INSERT INTO "inputs" VALUES('t4',4,29000,1767323074000,'~p11x',0,0,'["join",{"table":"t4"}]','',37,1762614789,'');
INSERT INTO "inputs" VALUES('t4',5,29000,1767323074000,'zoe',0,0,'["option",{"key":"limit","value":"30","table":"t4"}]','',38,592232425,'');
INSERT INTO "inputs" VALUES('t4',6,29000,1767323074000,'~p9x',0,0,'["seed",{"word_":"kitten","table":"t4"}]','',39,32049039,'');
INSERT INTO "inputs" VALUES('t4',7,29000,1767323074000,'~p10x',0,0,'["say",{"text":"t4 :good luck"}]','',40,483160864,'');
INSERT INTO "inputs" VALUES('t4',8,29000,1767323074000,'~p9x',0,0,'["ready",{"table":"t4"}]','',41,1155571227,'');
INSERT INTO "inputs" VALUES('t4',9,29000,1767323074000,'~p10x',0,0,'["ready",{"table":"t4"}]','',42,564272124,'');
INSERT INTO "inputs" VALUES('t4',10,29000,1767323074000,'~p11x',0,0,'["ready",{"table":"t4"}]','',43,3859051530,'');
INSERT INTO "inputs" VALUES('t4',11,29000,1767323074000,'zoe',0,0,'["start",{"table":"t4"}]','["TS+4H+4S+TH+JH+2H+4S+4D+QC+3C+5C+X+2S+QH+9H+4D+AC+8S+3D+8C+KS+AD+9D+9S+5H+6D+JS+4C+9H+TD+TD+KH+AS+7S+5D+6H+TS+AS+KC+4H+KD+5D+9C+4C+8H+3C+9C+3H+QS+6S+2D+6C+7D+7D+AD+6C+KD+KH+3H+3D+QC+7C+5H+QS+5C+TC+8H+X+8S+QD+TC+8C+AH+6S+8D+QH+JD+JC+7S+7C+2D+KC+2C+JS+X+3S+JC+3S+QD+9D+JH+AH+6H+X+TH+7H+2S+KS+5S+6D+8D+2H+7H+AC+2C+9S+5S+JD", "8S+7C+6S+JH+8S+6D+5H+5S+KH+9C+TD+JD+TS+4H+9D+2D+AH+QH+4S+AS+6C+QC+9C+QC+3S+3D+8C+KS+7D+5C+AD+3S+2H+KH+6D+5S+9S+8D+4C+QS+9H+QH+8D+8H+TH+QS+2S+7S+JC+5C+9H+6H+X+2C+4D+2H+3D+8H+TS+KC+8C+5H+JS+3H+7D+KS+6C+TC+4C+5D+AD+7H+JS+7H+2C+4D+X+TC+4S+AC+6H+9S+KD+4H+2S+7S+6S+X+TH+3H+JH+JC+AC+TD+5D+QD+3C+AH+KD+KC+JD+QD+9D+X+2D+3C+AS+7C"]',58,859346834,'');
INSERT INTO "inputs" VALUES('t4',12,29500,1767323074500,'~p9x',0,0,'["move",{"token":"-","table":"t4"}]','',60,987761569,'');
INSERT INTO "inputs" VALUES('t4',13,30000,1767323075000,'~p10x',0,0,'["move",{"token":"-","table":"t4"}]','',62,3494135706,'');
INSERT INTO "inputs" VALUES('t4',14,30500,1767323075500,'~p11x',0,0,'["move",{"token":"-","table":"t4"}]','',64,879679411,'');
INSERT INTO "inputs" VALUES('t4',15,31000,1767323076000,'zoe',0,0,'["move",{"token":"-","table":"t4"}]','',67,1554843956,'');
INSERT INTO "inputs" VALUES('t4',16,31500,1767323076500,'~p9x',0,0,'["move",{"token":"3","table":"t4"}]','',69,1382988493,'');
INSERT INTO "inputs" VALUES('t4',17,32000,1767323077000,'~p10x',0,0,'["move",{"token":"3","table":"t4"}]','',71,2591256206,'');
INSERT INTO "inputs" VALUES('t4',18,32500,1767323077500,'~p11x',0,0,'["move",{"token":"4","table":"t4"}]','',73,2889585365,'');
INSERT INTO "inputs" VALUES('t4',19,33000,1767323078000,'zoe',0,0,'["move",{"token":"2","table":"t4"}]','',77,1225557889,'');
INSERT INTO "inputs" VALUES('t4',20,33500,1767323078500,'~p11x',0,0,'["move",{"token":"5","table":"t4"}]','',79,2716616615,'');
INSERT INTO "inputs" VALUES('t4',21,33500,1767323078500,'~p11x',0,0,'["!away",{"name":"~p11x"}]','',80,3986009939,'');
INSERT INTO "inputs" VALUES('t4',22,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',84,3321856888,'');
INSERT INTO "inputs" VALUES('t5',1,33500,1767323078500,'~ann2',0,0,'["!opening",{"settings":{"seats":4,"preset":"twentysix","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"max_players":"8","decks":"2","jokers":"4","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"30","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":0,"start":false,"grace":120000}]','',34,2103873101,'');
INSERT INTO "inputs" VALUES('t5',2,33500,1767323078500,'~p13x',0,0,'["join",{"table":"t5"}]','',35,2566895519,'');
INSERT INTO "inputs" VALUES('t5',3,33500,1767323078500,'~p14x',0,0,'["join",{"table":"t5"}]','',36,2740267374,'');
INSERT INTO "inputs" VALUES('t5',4,33500,1767323078500,'~p15x',0,0,'["join",{"table":"t5"}]','',37,2421808977,'');
INSERT INTO "inputs" VALUES('t5',5,33500,1767323078500,'~p13x',0,0,'["ready",{"table":"t5"}]','',38,198040354,'');
INSERT INTO "inputs" VALUES('t5',6,33500,1767323078500,'~p14x',0,0,'["ready",{"table":"t5"}]','',39,248004939,'');
INSERT INTO "inputs" VALUES('t5',7,33500,1767323078500,'~p15x',0,0,'["ready",{"table":"t5"}]','',40,2695251983,'');
INSERT INTO "inputs" VALUES('t5',8,33500,1767323078500,'~ann2',0,0,'["start",{"table":"t5"}]','["KH+JS+KS+TC+3C+TH+TS+2H+8H+5D+9H+KD+KS+JC+QD+QS+4D+8S+3H+AH+9H+KH+3S+5C+7D+AC+4H+9C+3C+7C+9S+4H+2S+6D+5S+X+AD+4C+8D+2C+8S+X+4S+9D+JH+TH+7H+3D+JH+2C+9S+6D+KC+8H+3H+4D+X+TD+4S+7S+6S+TD+TS+AS+5H+8C+9D+5H+JC+AC+7S+2D+QD+7D+6C+TC+QC+6H+6H+2D+JD+2S+QC+QH+7H+5S+KC+6C+8D+3S+QH+AS+AD+JD+5D+4C+JS+3D+6S+7C+QS+2H+KD+AH+5C+X+9C+8C", "5D+3S+AH+6S+2D+KS+2H+AC+8H+7D+AD+JH+KC+4S+8D+X+AH+3C+3S+7H+2C+9D+6H+8C+8D+AC+5S+4H+KH+6H+5S+AD+7C+9H+X+AS+4S+3C+X+KD+2D+2H+9D+TC+QD+2S+8C+6S+9C+4D+QH+9C+TH+JC+QD+TS+7S+3H+TS+4D+KS+TD+3D+5H+KC+TD+4C+7D+6C+6D+QH+8H+9H+8S+JS+JH+3H+8S+2C+TC+6C+JS+5H+4H+KH+5D+5C+KD+JD+7S+AS+JD+5C+9S+7C+TH+QC+4C+3D+6D+JC+QC+7H+QS+QS+2S+9S+X"]',55,397214596,'');
INSERT INTO "inputs" VALUES('t5',9,34000,1767323079000,'~p15x',0,0,'["move",{"token":"-","table":"t5"}]','',57,3001160331,'');
INSERT INTO "inputs" VALUES('t5',10,34500,1767323079500,'~ann2',0,0,'["move",{"token":"-","table":"t5"}]','',59,1879832534,'');
INSERT INTO "inputs" VALUES('t5',11,35000,1767323080000,'~p13x',0,0,'["move",{"token":"-","table":"t5"}]','',61,1003461255,'');
INSERT INTO "inputs" VALUES('t5',12,35500,1767323080500,'~p14x',0,0,'["move",{"token":"-","table":"t5"}]','',64,4046235263,'');
INSERT INTO "inputs" VALUES('t5',13,36000,1767323081000,'~p15x',0,0,'["move",{"token":"2","table":"t5"}]','',66,1658807885,'');
INSERT INTO "inputs" VALUES('t5',14,36500,1767323081500,'~ann2',0,0,'["move",{"token":"3","table":"t5"}]','',68,2071651797,'');
INSERT INTO "inputs" VALUES('t5',15,37000,1767323082000,'~p13x',0,0,'["move",{"token":"2","table":"t5"}]','',70,2516169409,'');
INSERT INTO "inputs" VALUES('t5',16,37500,1767323082500,'~p14x',0,0,'["move",{"token":"4","table":"t5"}]','',74,1239200588,'');
INSERT INTO "inputs" VALUES('t5',17,38000,1767323083000,'~p14x',0,0,'["move",{"token":"6","table":"t5"}]','',76,1061188963,'');
INSERT INTO "inputs" VALUES('t5',18,38000,1767323083000,'~p15x',0,0,'["!away",{"name":"~p15x"}]','',77,780962098,'');
INSERT INTO "inputs" VALUES('t5',19,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',81,2960594918,'');
INSERT INTO "inputs" VALUES('t6',1,38000,1767323083000,'~bob2',0,0,'["!opening",{"settings":{"seats":4,"preset":"twentysix","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false},"options":{"max_players":"8","decks":"2","jokers":"4","direction":"cw","first_dealer":"draw","first_hand":"7","hand_size":"loser_card","exchange":"on","heading":"optional","bar":"best","winner":"bar","straights":"off","straight_min":"3","straight_max":"0","straight_suited":"no","points":"11/10","keep_cards":"yes","dead_cards":"out","limit":"26","dealer":"loser","dealer_tie":"draw","eliminated_deals":"yes","all_out":"shared"},"bots":3,"start":true,"grace":120000}]','["3D+3H+8S+AH+2S+KC+5D+5D+8S+AS+9H+4S+JD+2D+AD+6D+8C+QH+2H+KS+7C+2D+QD+4H+4H+7H+AS+3C+KH+TD+TS+AC+KD+7D+X+4C+5H+5C+2H+TC+2C+KH+JC+JS+9H+7C+QS+6D+8H+9C+9D+JS+3S+6C+8D+4D+QC+9D+7H+6S+TC+JD+AC+5H+QD+X+6H+4C+QC+3D+KC+5S+JC+QH+QS+KS+TD+AH+3S+5C+6C+2C+X+2S+TS+4S+3H+8H+KD+TH+6H+AD+JH+8C+4D+7D+9S+9S+X+9C+8D+TH+7S+5S+3C+7S+JH+6S", "9S+9H+6D+5C+JS+5S+8D+8S+3D+5H+6S+6C+TS+4H+3S+AC+8H+5C+7H+7D+QS+QS+AC+3H+8H+9D+TC+TD+7S+KH+QH+9D+4S+4D+5D+9S+QD+AD+5H+2D+2S+8S+7C+2D+TH+X+7H+AH+4C+2H+6H+TD+4D+JH+JD+KS+5D+3D+JD+AS+QH+4S+X+3C+KS+JS+7S+2H+4H+4C+TC+2C+7C+6D+5S+3S+TS+QC+KD+AH+AS+KC+JH+KC+AD+3C+JC+6H+9C+TH+KH+8C+X+JC+9C+KD+8D+7D+6C+2S+3H+6S+2C+9H+QD+8C+X+QC"]',50,3381445824,'');
INSERT INTO "inputs" VALUES('t6',2,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',51,3724030854,'');
INSERT INTO "inputs" VALUES('t7',1,58000,1767323103000,'zoe',0,0,'["!opening",{"settings":{"seats":4,"preset":"seed","watch":true,"word":"","title":"","clock":[60000,120000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"max_players":"4","first_size":"even","sequence":"bounce","blind_one":"no","start_score":"14","hook":"yes","fool":"choice"},"bots":0,"start":false,"grace":120000}]','',18,3228597970,'');
INSERT INTO "inputs" VALUES('t7',2,58000,1767323103000,'~p17x',0,0,'["join",{"table":"t7"}]','',19,3913200926,'');
INSERT INTO "inputs" VALUES('t7',3,58000,1767323103000,'~p18x',0,0,'["join",{"table":"t7"}]','',20,548335593,'');
INSERT INTO "inputs" VALUES('t7',4,58000,1767323103000,'~p19x',0,0,'["join",{"table":"t7"}]','',21,1135806491,'');
INSERT INTO "inputs" VALUES('t7',5,58000,1767323103000,'zoe',0,0,'["option",{"key":"start_score","value":"30","table":"t7"}]','',22,9562322,'');
INSERT INTO "inputs" VALUES('t7',6,58000,1767323103000,'~p17x',0,0,'["seed",{"word_":"kitten","table":"t7"}]','',23,4242392789,'');
INSERT INTO "inputs" VALUES('t7',7,58000,1767323103000,'~p18x',0,0,'["say",{"text":"t7 :good luck"}]','',24,3513617277,'');
INSERT INTO "inputs" VALUES('t7',8,58000,1767323103000,'~p17x',0,0,'["ready",{"table":"t7"}]','',25,1476766450,'');
INSERT INTO "inputs" VALUES('t7',9,58000,1767323103000,'~p18x',0,0,'["ready",{"table":"t7"}]','',26,1932906590,'');
INSERT INTO "inputs" VALUES('t7',10,58000,1767323103000,'~p19x',0,0,'["ready",{"table":"t7"}]','',27,3820686929,'');
INSERT INTO "inputs" VALUES('t7',11,58000,1767323103000,'zoe',0,0,'["start",{"table":"t7"}]','["2+3+4+1", "11+13+1+F+7+3+14+6+18+8+10+4+19+20+21+9+15+17+12+2+5+16"]',36,1370553637,'');
INSERT INTO "inputs" VALUES('t7',12,58500,1767323103500,'~p18x',0,0,'["move",{"token":"0","table":"t7"}]','',38,2869214619,'');
INSERT INTO "inputs" VALUES('t7',13,59000,1767323104000,'~p19x',0,0,'["move",{"token":"0","table":"t7"}]','',40,3412626931,'');
INSERT INTO "inputs" VALUES('t7',14,59500,1767323104500,'zoe',0,0,'["move",{"token":"0","table":"t7"}]','',42,3840279123,'');
INSERT INTO "inputs" VALUES('t7',15,60000,1767323105000,'~p17x',0,0,'["move",{"token":"0","table":"t7"}]','',45,1403646728,'');
INSERT INTO "inputs" VALUES('t7',16,60500,1767323105500,'~p18x',0,0,'["move",{"token":"7","table":"t7"}]','',47,3736720466,'');
INSERT INTO "inputs" VALUES('t7',17,61000,1767323106000,'~p19x',0,0,'["move",{"token":"3","table":"t7"}]','',49,2348734575,'');
INSERT INTO "inputs" VALUES('t7',18,61500,1767323106500,'zoe',0,0,'["move",{"token":"1","table":"t7"}]','',51,3480774246,'');
INSERT INTO "inputs" VALUES('t7',19,62000,1767323107000,'~p17x',0,0,'["move",{"token":"F0","table":"t7"}]','',55,37440668,'');
INSERT INTO "inputs" VALUES('t7',20,62500,1767323107500,'~p18x',0,0,'["move",{"token":"11","table":"t7"}]','',57,1330694982,'');
INSERT INTO "inputs" VALUES('t7',21,62500,1767323107500,'~p19x',0,0,'["!away",{"name":"~p19x"}]','',58,867679852,'');
INSERT INTO "inputs" VALUES('t7',22,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',62,3513914804,'');
INSERT INTO "inputs" VALUES('t8',1,62500,1767323107500,'~ann3',0,0,'["!opening",{"settings":{"seats":4,"preset":"seed","watch":true,"word":"","title":"","clock":[30000,60000],"seed":null,"practice":false,"level":"steady","rated":false},"options":{"max_players":"4","first_size":"even","sequence":"bounce","blind_one":"no","start_score":"30","hook":"yes","fool":"choice"},"bots":0,"start":false,"grace":120000}]','',18,610293160,'');
INSERT INTO "inputs" VALUES('t8',2,62500,1767323107500,'~p21x',0,0,'["join",{"table":"t8"}]','',19,1985711772,'');
INSERT INTO "inputs" VALUES('t8',3,62500,1767323107500,'~p22x',0,0,'["join",{"table":"t8"}]','',20,1284177350,'');
INSERT INTO "inputs" VALUES('t8',4,62500,1767323107500,'~p23x',0,0,'["join",{"table":"t8"}]','',21,2959286115,'');
INSERT INTO "inputs" VALUES('t8',5,62500,1767323107500,'~p21x',0,0,'["ready",{"table":"t8"}]','',22,3270718446,'');
INSERT INTO "inputs" VALUES('t8',6,62500,1767323107500,'~p22x',0,0,'["ready",{"table":"t8"}]','',23,730242408,'');
INSERT INTO "inputs" VALUES('t8',7,62500,1767323107500,'~p23x',0,0,'["ready",{"table":"t8"}]','',24,434150442,'');
INSERT INTO "inputs" VALUES('t8',8,62500,1767323107500,'~ann3',0,0,'["start",{"table":"t8"}]','["3+2+1+4", "12+10+8+3+7+F+15+19+1+14+21+4+2+6+17+11+9+13+20+18+16+5"]',33,4083401119,'');
INSERT INTO "inputs" VALUES('t8',9,63000,1767323108000,'~p23x',0,0,'["move",{"token":"0","table":"t8"}]','',35,890563437,'');
INSERT INTO "inputs" VALUES('t8',10,63500,1767323108500,'~ann3',0,0,'["move",{"token":"0","table":"t8"}]','',37,3143179771,'');
INSERT INTO "inputs" VALUES('t8',11,64000,1767323109000,'~p21x',0,0,'["move",{"token":"0","table":"t8"}]','',39,4066145532,'');
INSERT INTO "inputs" VALUES('t8',12,64500,1767323109500,'~p22x',0,0,'["move",{"token":"0","table":"t8"}]','',42,2353027829,'');
INSERT INTO "inputs" VALUES('t8',13,65000,1767323110000,'~p23x',0,0,'["move",{"token":"1","table":"t8"}]','',44,452829331,'');
INSERT INTO "inputs" VALUES('t8',14,65500,1767323110500,'~ann3',0,0,'["move",{"token":"F0","table":"t8"}]','',46,43299607,'');
INSERT INTO "inputs" VALUES('t8',15,66000,1767323111000,'~p21x',0,0,'["move",{"token":"8","table":"t8"}]','',48,3171880427,'');
INSERT INTO "inputs" VALUES('t8',16,66500,1767323111500,'~p22x',0,0,'["move",{"token":"3","table":"t8"}]','',52,862169681,'');
INSERT INTO "inputs" VALUES('t8',17,67000,1767323112000,'~p21x',0,0,'["move",{"token":"15","table":"t8"}]','',54,3833305881,'');
INSERT INTO "inputs" VALUES('t8',18,67000,1767323112000,'~p23x',0,0,'["!away",{"name":"~p23x"}]','',55,3701979878,'');
INSERT INTO "inputs" VALUES('t8',19,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',59,3913828222,'');
INSERT INTO "inputs" VALUES('t9',1,67000,1767323112000,'~bob3',0,0,'["!opening",{"settings":{"seats":4,"preset":"seed","watch":false,"word":"","title":"","clock":null,"seed":7,"practice":true,"level":"steady","rated":false},"options":{"max_players":"4","first_size":"even","sequence":"bounce","blind_one":"no","start_score":"14","hook":"yes","fool":"choice"},"bots":3,"start":true,"grace":120000}]','["3+1+2+4", "6+21+4+19+20+9+1+18+F+16+7+8+10+14+13+17+2+12+15+5+3+11"]',30,1137751536,'');
INSERT INTO "inputs" VALUES('t9',2,67000,1767323112000,'bot:steady3',0,0,'["move",{"token":"1","turn":1}]','',32,1644207919,'');
INSERT INTO "inputs" VALUES('t9',3,100000,1767323161000,'',0,0,'["!restarted",{"backup":false}]','',33,2511406924,'');
CREATE TABLE marks (
	name TEXT NOT NULL, 
	value BIGINT NOT NULL, 
	CONSTRAINT marks_pk PRIMARY KEY (name)
);
INSERT INTO "marks" VALUES('batch',212);
INSERT INTO "marks" VALUES('at',100000);
INSERT INTO "marks" VALUES('table',12);
INSERT INTO "marks" VALUES('game',12);
INSERT INTO "marks" VALUES('promise',12);
INSERT INTO "marks" VALUES('copy',0);
CREATE TABLE people (
	name TEXT NOT NULL, 
	program BOOLEAN NOT NULL, 
	secret BLOB NOT NULL, 
	"before" BLOB NOT NULL, since BIGINT DEFAULT 0 NOT NULL, 
	CONSTRAINT people_pk PRIMARY KEY (name)
);
INSERT INTO "people" VALUES('zoe',0,X'D8CC7AED3851AC3338FCC15DF3B6807B89125837F77A75B9ECB13ED2AFE3B49F',X'DF3E6B0BB66CEAADCA4F84CBC371FD66E04D20FE51FC414DA8D1B84D31D178DE',0);
INSERT INTO "people" VALUES('~p1x',0,X'5D6B091416885EAA91283321B69DC526FC42C97783E4CDFDFF7A945E3BE1F9EF',X'',0);
INSERT INTO "people" VALUES('~p2x',0,X'4CB0EA499CA7177D32B4DEB6E251D0A8F857F91D078AF209B7D354528EF62201',X'',0);
INSERT INTO "people" VALUES('~p3x',0,X'AA1F6F7084D4030E09F5542AA22E7947A81CEC2966A251DA748CFB501ACE6DDC',X'',0);
INSERT INTO "people" VALUES('~ann',0,X'5495BF3E5FD103DC8DE35348E58F03CD1D5FFB46B7FD0EF77A4A7ACDF820925C',X'',4500);
INSERT INTO "people" VALUES('~p5x',0,X'9C9F5D6241BD997ED1BD4A09E15C5BCFD3CA01B2171BDE39B4C7BAE9D2B0DDCD',X'',4500);
INSERT INTO "people" VALUES('~p6x',0,X'2E5901C443D2BDEB6120D13D7AB3701238E655E38F88D7DACA3DDC391A073B9F',X'',4500);
INSERT INTO "people" VALUES('~p7x',0,X'2E2AABA981B52E7FC2AC2EA6005B52F7EF657592D2A7794A47A7D8E489F00F9E',X'',4500);
INSERT INTO "people" VALUES('~bob',0,X'04CF1E890F970FAC4D4B4977D544278894FB3026B6319C32666966BF7717B219',X'',9000);
INSERT INTO "people" VALUES('~p9x',0,X'0E93EF25C9FB2553425A36C7CA395CC8C33446EE1E7F0D0F05DF3DB2954AE77F',X'',29000);
INSERT INTO "people" VALUES('~p10x',0,X'21739C76445A0FAC0423A72DE7DAEF6731D8A5E9859B5A707C390244F67FDAFA',X'',29000);
INSERT INTO "people" VALUES('~p11x',0,X'730C945F6B0DB3EAC44BD3148E2D633807EEF1F14211A2F67F3AFA04FCD08CE4',X'',29000);
INSERT INTO "people" VALUES('~ann2',0,X'573265C4B1FF008CA396D4B9B228E57F846213E14CAC57E1D34ADA2F2359FD37',X'',33500);
INSERT INTO "people" VALUES('~p13x',0,X'9A531FA2878392A3832C340A7C35775687528AA02B6C3D607753A431A42C4D8D',X'',33500);
INSERT INTO "people" VALUES('~p14x',0,X'AFD27B1BFAFC7F3E82CBAC9EA6019BB7BBBD22CF3D00E24EB75018E990A0140B',X'',33500);
INSERT INTO "people" VALUES('~p15x',0,X'0C7A61DAA5F8BB2C019561D1CA35744CF0D996E5190A3C378C89A867E5AC2DBF',X'',33500);
INSERT INTO "people" VALUES('~bob2',0,X'64F499E1852D205FC53D2F339E350F7178A4C8CDC1FF3DD9ECA123F437080BB8',X'',38000);
INSERT INTO "people" VALUES('~p17x',0,X'4742B170F62B43E321B1910560CDB518F8A918605375380E9C440072E448DD74',X'',58000);
INSERT INTO "people" VALUES('~p18x',0,X'C3A14A08C0C71945160C9D8B003C312479EB364E0DC36539B3E8E2488118167B',X'',58000);
INSERT INTO "people" VALUES('~p19x',0,X'A3966F19BD48E44231E68436DC653802E700CA0782AE31A9A8295F4AAA6DADCC',X'',58000);
INSERT INTO "people" VALUES('~ann3',0,X'4CBBFD6E484C3272C715761273B212572A496B3161DFCEB7FB303E0D8A1F715E',X'',62500);
INSERT INTO "people" VALUES('~p21x',0,X'684C0088ED41BC200EFD8A62DAAF7592787477031ED8A51E8942F2EA6F13A041',X'',62500);
INSERT INTO "people" VALUES('~p22x',0,X'B8692DC8B53927329FFBE85887A7CD24D81962948C5FF5752AFF503F10980794',X'',62500);
INSERT INTO "people" VALUES('~p23x',0,X'C2DA3ECF2801322ED6057089367456A0570DC7BCA1542A24A82CA8489DF61154',X'',62500);
INSERT INTO "people" VALUES('~bob3',0,X'06D782C29232F7C169176CCB80133C97060881BEEA9CB7BB3D2F1465A5FB554A',X'',67000);
INSERT INTO "people" VALUES('~p25x',0,X'5D37A7D99B3E2C271B48E120EA39CE89FAB4051741BA43951AB2EA0AEEE22849',X'',87000);
INSERT INTO "people" VALUES('~p26x',0,X'788A12E3EEE8029BAFC6E12CFD849ED7098660BBE1194C8619AC123C852C2723',X'',87000);
INSERT INTO "people" VALUES('~p27x',0,X'DF38C6510FAD50A55D484A350B2B5D5E78E5BB85DF714373E658ED717CF98973',X'',87000);
INSERT INTO "people" VALUES('~ann4',0,X'A5C728B26421122EA08C36296178DB13F30D39689779E665B6A61CEB9D370A40',X'',91500);
INSERT INTO "people" VALUES('~p29x',0,X'4C52C555DAE75555BD6A17DF648CE3396C3DAD9CBC6A582237C9083F4E0B055A',X'',91500);
INSERT INTO "people" VALUES('~p30x',0,X'C519A533A1AF860132F3340D4928FE300CA53AD1E7670CBC62A9B6397A73CA2B',X'',91500);
INSERT INTO "people" VALUES('~p31x',0,X'A3A08172E4D5F41FC4AAAFEB0792EEE24AB68AD90BFA8D4547BAA0C2C34C4696',X'',91500);
INSERT INTO "people" VALUES('~bob4',0,X'784BCDFF679591FDEAE3DAF26E6877CEA5D23CF6AFE1BDC08AE10E80DC3F3B36',X'',96000);
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
INSERT INTO "promises" VALUES(1,'g1','t1','fd1','3678a9cdace961116a27888f03ba9661ab5f8204bbcf89b40c537da58aec56bd',1767323045000,'9499d2193870ea6636d2311d10afebda428d74fd66f268ab86f728e527c8db09');
INSERT INTO "promises" VALUES(2,'g2','t2','fd1','0c5a417992da5589cedaae8e1f4df25da4f6b9f32791ffd83e32ed7f65c7b886',1767323049500,'f7375d45b4a07f3d59ef61fc26f35958005e7f2873867afdbfcb04be4d29db7e');
INSERT INTO "promises" VALUES(3,'g3','t3','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323054000,'b4439653cdb3b757a1595fbca8da79111b32fd5625022402b57a5c1bf40bf85d');
INSERT INTO "promises" VALUES(4,'g4','t4','fd1','5ec936697b30509f7e145c2d852ebbe070665129fc3d4f32a49675d079fe8a7d',1767323074000,'c2b0a57894fd462760f126f4593a76317e93fc476f9628cf170ba1eac476d2c0');
INSERT INTO "promises" VALUES(5,'g5','t5','fd1','33a0329d0ea116d76ab743b6c170bf3ac8e9a7f811c83c8d8bf219daf257da42',1767323078500,'3b550773596c3dd1a6331956f81b367210fe36986bfe7e934157a649c4cd8592');
INSERT INTO "promises" VALUES(6,'g6','t6','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323083000,'cd25405e0120e015260f10afad4f0906c9362e8c22acc289ac3c02a544036649');
INSERT INTO "promises" VALUES(7,'g7','t7','fd1','ba99bceefeace22cd8d3a5d3642ad61539799a1a64e66779ff1a31b1d70ecd81',1767323103000,'c290097c1c138818c564332be37237ed29cb826ea6d45346b766a85f5ec3e44e');
INSERT INTO "promises" VALUES(8,'g8','t8','fd1','32f793f709acbe339567af74902c3de10dde3658754d87ba1f556ed13c68a10c',1767323107500,'0fab5b735d5ef5215639dff8113213c675fb819853423bebb295995c816438fb');
INSERT INTO "promises" VALUES(9,'g9','t9','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323112000,'a4132165fa68b686d228a6ad422c4e642815c4261436ebda87e8a7136e126f51');
INSERT INTO "promises" VALUES(10,'g10','t10','fd1','74c81b5ef2b65886be63c184586ad855a9de5a1ff87430f23ec621b7e9e6db4a',1767323132000,'c1d99dd85d713d14e132667d7d21074eb50cd105392a5e7062332f7a747d242c');
INSERT INTO "promises" VALUES(11,'g11','t11','fd1','e6f8da359993b55871cf211ccbeeb6d02d2638be2e901c105b61bff51d0e6c8e',1767323136500,'5187c6f398623e1fb47b0cb352a2c1dbd358ddc32ab403fd5e8cab3d808a9140');
INSERT INTO "promises" VALUES(12,'g12','t12','seed','fbc364567b95545d39fe99011a8138db6f7412ec80cc85e5c2ab8e71f95c7b4c',1767323141000,'37407f3c208a35d2bb670824f6ad460ce41e746f8fc78fd34cbe33fd3d3bd12e');
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
CREATE TABLE records (
	game TEXT NOT NULL, 
	record TEXT NOT NULL, 
	CONSTRAINT records_pk PRIMARY KEY (game), 
	CONSTRAINT records_game_known FOREIGN KEY(game) REFERENCES games (id)
);
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
CREATE TABLE seeds (
	no BIGINT NOT NULL, 
	seed TEXT NOT NULL, 
	CONSTRAINT seeds_pk PRIMARY KEY (no), 
	CONSTRAINT seeds_no_known FOREIGN KEY(no) REFERENCES promises (no)
);
INSERT INTO "seeds" VALUES(1,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006');
INSERT INTO "seeds" VALUES(2,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000b');
INSERT INTO "seeds" VALUES(3,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5');
INSERT INTO "seeds" VALUES(4,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000010');
INSERT INTO "seeds" VALUES(5,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000015');
INSERT INTO "seeds" VALUES(6,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5');
INSERT INTO "seeds" VALUES(7,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001a');
INSERT INTO "seeds" VALUES(8,'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001f');
INSERT INTO "seeds" VALUES(9,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5');
INSERT INTO "seeds" VALUES(10,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000024');
INSERT INTO "seeds" VALUES(11,'00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000029');
INSERT INTO "seeds" VALUES(12,'8fcbe9bafe758c9cd1f13a1a53b2bc373b434b4d62613cb48ac7bb7bdf06a73419a40319b8041bd887ad25c175ab6fa359b82244aebcaccbbf54a9f84a056ca5');
CREATE TABLE tables (
	id TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	"key" TEXT NOT NULL, 
	wall BIGINT NOT NULL, 
	closed BIGINT, 
	CONSTRAINT tables_pk PRIMARY KEY (id)
);
INSERT INTO "tables" VALUES('t1',1,'twentytwo',1767323045000,NULL);
INSERT INTO "tables" VALUES('t2',2,'twentytwo',1767323049500,NULL);
INSERT INTO "tables" VALUES('t3',3,'twentytwo',1767323054000,NULL);
INSERT INTO "tables" VALUES('t4',4,'twentysix',1767323074000,NULL);
INSERT INTO "tables" VALUES('t5',5,'twentysix',1767323078500,NULL);
INSERT INTO "tables" VALUES('t6',6,'twentysix',1767323083000,NULL);
INSERT INTO "tables" VALUES('t7',7,'whist22',1767323103000,NULL);
INSERT INTO "tables" VALUES('t8',8,'whist22',1767323107500,NULL);
INSERT INTO "tables" VALUES('t9',9,'whist22',1767323112000,NULL);
INSERT INTO "tables" VALUES('t10',10,'twentyeight',1767323132000,NULL);
INSERT INTO "tables" VALUES('t11',11,'twentyeight',1767323136500,NULL);
INSERT INTO "tables" VALUES('t12',12,'twentyeight',1767323141000,NULL);
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
CREATE INDEX tables_open ON tables (number) WHERE closed IS NULL;
CREATE INDEX promises_by_table_id ON promises (table_id);
CREATE INDEX games_past ON games (public, ended, number);
CREATE INDEX games_past_of_key ON games (public, "key", ended, number);
CREATE INDEX players_past ON players (who, ended, number);
CREATE INDEX players_past_of_key ON players (who, "key", ended, number);
CREATE INDEX ratings_best ON ratings (pool, "key", rules, score);
CREATE INDEX ratings_by_who ON ratings (who);
COMMIT;
