"""The end of a reply, one OK or one ERR, and the error codes."""

from __future__ import annotations

from typing import Annotated

from ..schema import (
    CAPABILITIES,
    REASONS,
    Cards,
    ErrorClass,
    Flag,
    Int,
    Ints,
    Ms,
    Name,
    Row,
    Seat,
    Stream,
    Text,
    Token,
    Tokens,
    codes,
    row,
)


@row(say="{text}", word="OK")
class Ok(Row):
    """The command was carried out. The fields depend on the verb."""

    proto: Annotated[Int | None, "hello: the version of the protocol"] = None
    server: Annotated[Token | None, "hello: the server's name and version"] = None
    boot: Annotated[Token | None, "hello: changes with every start of the server"] = None
    maxin: Annotated[
        Int | None, "hello: maximum length of your lines in bytes, with the line end"
    ] = None
    maxout: Annotated[
        Int | None, "hello: maximum length of the server's lines in bytes, with the line end"
    ] = None
    knows: Annotated[Tokens | None, "hello, caps: the capabilities that can be turned on"] = None
    caps: Annotated[Tokens | None, "hello, caps: the capabilities that are now on"] = None
    name: Annotated[Name | None, "your name"] = None
    token: Annotated[
        Token | None,
        "a secret: resume TOKEN takes your place back",
    ] = None
    grace: Annotated[Ms | None, "how long a seat is kept after a lost connection"] = None
    on: Annotated[Stream | None, "the table or stream of the command"] = None
    seat: Annotated[Seat | None, "your seat"] = None
    seq: Annotated[
        Int | None, "the number of the event that the command caused, or of the last event so far"
    ] = None
    lost: Annotated[Tokens | None, "what the command cost: seat, game, rating"] = None
    talk: Annotated[Stream | None, "the stream of the watchers' talk at that table"] = None
    more: Annotated[Flag | None, "sync: 1: there are more events; continue from seq"] = None
    turn: Annotated[Int | None, "moves: the number of the open turn"] = None
    at: Annotated[Token | None, "time: the server's clock, in UTC"] = None
    ms: Annotated[Ms | None, "time: the same in milliseconds since 1970"] = None
    seek: Annotated[Int | None, "seek, accept seek=: the number of your own seek"] = None
    cards: Annotated[Cards | None, "hand: the cards that you hold and see"] = None
    nlegal: Annotated[Int | None, "moves: the number of legal moves"] = None
    n: Annotated[Int | None, "the number of rows in the reply"] = None
    next: Annotated[Token | None, "a list: there are more rows; after=NEXT continues it"] = None
    pong: Annotated[Token | None, "ping: the word that you sent"] = None
    allowed: Annotated[Flag | None, "why: whether the move is legal"] = None
    reason: Annotated[Token | None, "why: the reason against the move"] = None
    again: Annotated[
        Flag | None, "1: the command was carried out before, under the same once=, with this reply"
    ] = None
    text: Text | None = None


@row(say="! {text}", word="ERR")
class Err(Row):
    """The command was not carried out, and changed nothing."""

    code: Annotated[Token, "one of the codes, whose meanings never change"]
    class_: Annotated[Token, "the class of the code, which says how to react"]
    on: Annotated[Stream | None, "the table or stream that the command was about"] = None
    arg: Annotated[Token | None, "the wrong argument or option"] = None
    reason: Annotated[Token | None, "the reason why a move is illegal"] = None
    wait: Annotated[Ms | None, "wait this long before you try again"] = None
    turn: Annotated[Int | None, "the number of the open turn"] = None
    seat: Annotated[Seat | None, "whose turn it is"] = None
    act: Annotated[Token | None, "the kind of the open question"] = None
    have: Annotated[Ints | None, "the supported versions, or the last number of the stream"] = None
    oldest: Annotated[Int | None, "the first number that the server still has"] = None
    max: Annotated[Int | None, "the maximum length of a line"] = None
    ref: Annotated[Token | None, "the number to quote to the operator"] = None
    text: Text | None = None


codes(
    ErrorClass.SYNTAX,
    BAD_SYNTAX="the line is not a command",
    UNKNOWN_VERB="no such verb",
    AMBIGUOUS_VERB="several verbs begin with that",
    BAD_ARG="an argument is missing or wrong; arg= says which",
    LINE_TOO_LONG="the line is longer than max= bytes and was not read",
    BAD_UTF8="the line is not valid UTF-8 and was not read",
    BAD_VERSION="this server speaks the versions have=",
    WRONG_MODE="that verb is for the other mode, people or programs",
    ONCE_USED="the key in once= was used for another command",
)
codes(
    ErrorClass.AUTH,
    LOGIN_FIRST="say who you are first: guest NAME, or login NAME",
    BAD_LOGIN="the account, the password or the token is wrong",
    TLS_REQUIRED="passwords are accepted only over TLS, or from this machine",
    NAME_TAKEN="an account has that name, or a name that looks like it",
    BAD_NAME="names are 2 to 16 letters, digits, - and _, beginning with a letter",
    FORBIDDEN="you are not allowed to do that",
    BAD_TOKEN="that token is not valid, or no longer",
)
codes(
    ErrorClass.MISSING,
    NO_SUCH_USER="nobody of that name is here",
    NO_SUCH_TABLE="no such table",
    NO_SUCH_GAME="no such game",
    NO_SUCH_OPTION="no such option",
    NO_SUCH_SEEK="no such seek",
)
codes(
    ErrorClass.STATE,
    NOT_SEATED="you have no seat there",
    ALREADY_SEATED="you have a seat already",
    SEAT_TAKEN="that seat is taken",
    TABLE_FULL="no seat is free",
    TABLE_LOCKED="the host has locked the table",
    NOT_HOST="only the host may do that",
    GAME_RUNNING="that is not allowed while a game is running",
    NO_GAME="no game is running",
    NOT_ENOUGH_PLAYERS="too few players for this game",
    NOT_READY="not everybody is ready",
    PAUSED="the game is paused",
)
codes(
    ErrorClass.TURN,
    NOT_YOUR_TURN="it is seat='s turn, turn turn=",
    STALE_TURN="that is not the number of an open question; turn= is",
    WRONG_ACT="the question asks for act=",
)
codes(
    ErrorClass.RULE,
    NOT_HELD="you do not hold those cards",
    ILLEGAL="the rules forbid it; reason= says which",
)
codes(
    ErrorClass.LIMIT,
    RATE="too many in a short time; repeat it after wait=",
    BUSY="the server is too busy now",
    QUOTA="you have reached the limit of what you may have",
)
codes(
    ErrorClass.SYNC,
    BAD_SEQ="that number is ahead of the stream; have= is its last number",
    GONE="the server no longer has that event; oldest= is the first number that it has",
)
codes(
    ErrorClass.SERVER,
    INTERNAL="an error of the server; ref= identifies it",
    DRAINING="the server is about to stop and starts nothing new",
    UNSUPPORTED="this server does not support that",
)

CAPABILITIES.update(
    json="every line of the server is a JSON object, and commands may be objects too",
    text="events end with the sentence that a person in the same seat would read",
    time="events of a stream carry at=, the server's clock in UTC",
    grease="the server adds unknown words and fields, which a client has to skip",
)

REASONS.update(
    KEEP_ONE="the leader must keep at least one card",
    SAME_RANK="a lead is cards of one rank (or a straight, if the option is on)",
    WRONG_COUNT="play as many cards as were led",
    BEAT_OR_LOWEST="equal or beat the play card for card, or throw your lowest",
    TOO_MANY="that is more cards than you may exchange",
    EMPTY="you must play at least one card",
    LESSON="the move is legal, but the lesson continues with another one",
)
