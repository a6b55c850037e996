"""Accounts and ratings: registered names, logins, login tokens, keys, ratings and ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ..schema import (
    KEY,
    Base64,
    Command,
    Event,
    Flag,
    Int,
    Name,
    Row,
    Stage,
    Str,
    Stream,
    Text,
    Token,
    command,
    event,
    row,
)
from ..vocabulary import DEFAULT_GAME
from .paging import After, AtMostTen

if TYPE_CHECKING:
    from ..voice import Voice

HERE = Stage.CONNECTED

# ----------------------------------------------------------------------------- commands


@command("accounts", stage=HERE, example="register ann :three blind mice", secret=True)
class Register(Command):
    """Make an account: the name stays yours, and your results count."""

    name: Annotated[Name, "2 to 16 letters, digits, - and _"]
    code: Annotated[
        Token | None, "an invite code, or the operator's code for a new password", KEY
    ] = None
    password: Annotated[Text | None, "10 to 256 bytes; people who omit it are asked for it"] = None

    def __repr__(self) -> str:
        return f"Register({self.name!r}, ...)"


@command("accounts", stage=HERE, example="login ann :three blind mice", secret=True)
class Login(Command):
    """Log in to your account, with its password or a login token."""

    name: Annotated[Name, "the account"]
    token: Annotated[Token | None, "a token from `token new`, instead of the password", KEY] = None
    password: Annotated[Text | None, "people who omit it are asked for it"] = None

    def __repr__(self) -> str:
        return f"Login({self.name!r}, ...)"


@command(
    "programs",
    stage=HERE,
    example="auth SCRAM-SHA-256 biwsbj1hbm4scj1mTzN2",
    waits=True,
    secret=True,
)
class Auth(Command):
    """Log in to your account without sending the password: SASL SCRAM-SHA-256, in two steps."""

    mech: Annotated[Token, "SCRAM-SHA-256"]
    data: Annotated[Base64, "the client's message, in base64"]

    def __repr__(self) -> str:
        return f"Auth({self.mech!r}, ...)"


@command("accounts", example="password old%20words :three blind mice", secret=True)
class Password(Command):
    """Change the password of your account; this revokes its login tokens and keys."""

    old: Annotated[Str | None, "the current one, with %20 for a space; people are asked for it"] = (
        None
    )
    new: Annotated[Text | None, "10 to 256 bytes; people who omit it are asked for it"] = None

    def __repr__(self) -> str:
        return "Password(...)"


@command("accounts", example="token new :laptop", word="token")
class Tokens(Command):
    """Login tokens of your account, for your programs: make one, list them, revoke one."""

    what: Annotated[Token, "new, list or revoke"]
    which: Annotated[Token | None, "the number of the token to revoke"] = None
    text: Annotated[Text | None, "a label for the new token"] = None


@command("accounts", example="keys remove 1")
class Keys(Command):
    """SSH keys that log in to your account: add one, remove one; alone, list them."""

    what: Annotated[Token | None, "add, remove or list; default: list"] = None
    which: Annotated[Token | None, "the number of the key to remove"] = None
    text: Annotated[
        Text | None,
        "the public key to add, as in a .pub file; default: the key that this connection's ssh "
        "has offered",
    ] = None


@command("accounts", stage=HERE, example="profile ann", cost=3, again=True, waits=True)
class Profile(Command):
    """Information about a player: the age of the account, whether they are here, their ratings."""

    name: Annotated[Name | None, "an account, or a guest who is here; alone, yourself"] = None


@command("ratings", stage=HERE, example="rating ann", cost=2, again=True)
class Rating(Command):
    """The ratings of a player, one for each game and its rules; alone, your own."""

    name: Annotated[Name | None, "an account, or a bot as bot:hard"] = None


@command("ratings", stage=HERE, example=f"ranks {DEFAULT_GAME} rules=pagat", cost=3, again=True)
class Ranks(Command):
    """The best rated players of a game; with a week, the ladder of that week's rated games."""

    game: Annotated[Token | None, f"the game; default: {DEFAULT_GAME}"] = None
    span: Annotated[Token | None, "week, or a week as 2026-W47: the ladder of that week"] = None
    rules: Annotated[Token | None, "a preset; default: the game's first one", KEY] = None
    pool: Annotated[Token | None, "people or bots", KEY] = None
    n: AtMostTen = None
    after: After = None


# --------------------------------------------------------------------------------- rows


@row()
class More(Row):
    """The server's message in an exchange of `auth`."""

    data: Annotated[Base64, "in base64"]


def _given(said: TokenRow, _: Voice) -> str:
    label = f" {said.label}" if said.label else ""
    end = f", good until {said.expires[:10]}" if said.expires else ""
    return f"  {said.no}:{label}, made {said.made[:10]}{end}"


@row(say=_given, word="TOKEN")
class TokenRow(Row):
    """A login token of yours. The token itself is sent only once, when it is made."""

    no: Annotated[Int, "its number, for `token revoke`"]
    made: Annotated[Token, "the time when it was made, in UTC"]
    label: Annotated[Str | None, "its label"] = None
    expires: Annotated[Token | None, "the time when it expires, in UTC"] = None


def _key(said: KeyRow, _: Voice) -> str:
    label = f" {said.label}," if said.label else ""
    return f"  {said.no}:{label} {said.kind}, {said.fingerprint}, added {said.made[:10]}"


@row(say=_key, word="KEY")
class KeyRow(Row):
    """A key that logs in to your account over SSH."""

    no: Annotated[Int, "its number, for `keys remove`"]
    kind: Annotated[Token, "its type, such as ssh-ed25519"]
    fingerprint: Annotated[Token, "its fingerprint, as OpenSSH shows it"]
    made: Annotated[Token, "the time when it was added, in UTC"]
    label: Annotated[Str | None, "its label"] = None


def _profile(said: ProfileRow, _: Voice) -> str:
    what = f"an account since {said.made[:10]}" if said.made else "a guest"
    where = f", at {said.on}" if said.on else ""
    return f"  {said.name}: {what}; {'here' if said.here else 'not here'}{where}."


@row(say=_profile, word="PROFILE")
class ProfileRow(Row):
    """Information about a player."""

    name: Name
    here: Annotated[Flag, "whether they are connected"]
    made: Annotated[
        Token | None, "the time when the account was made, in UTC; absent for guests"
    ] = None
    on: Annotated[Stream | None, "the table where they sit, if you may see it"] = None


def _rating(said: RatingRow, _: Voice) -> str:
    rank = f"{said.rank}. " if said.rank else ""
    games = "1 game" if said.games == 1 else f"{said.games} games"
    return (
        f"  {rank}{said.name}: {said.rating} +-{said.rd} after {games} ({said.game}, {said.rules})"
    )


@row(say=_rating, word="RATING")
class RatingRow(Row):
    """The rating of a player for a game and its rules."""

    name: Name
    game: Annotated[Token, "the game"]
    rules: Annotated[Token, "the preset"]
    pool: Annotated[Token, "people or bots"]
    rating: Annotated[Int, "the rating; everybody begins with 1500"]
    rd: Annotated[Int, "its uncertainty: one standard deviation, 333 at first"]
    games: Annotated[Int, "the number of rated games so far"]
    rank: Annotated[Int | None, "ranks: the place, by rating less three times rd"] = None


def _ladder(said: LadderRow, _: Voice) -> str:
    games = "1 game" if said.games == 1 else f"{said.games} games"
    points = f"{said.halves / 2:g}"
    return (
        f"  {said.rank}. {said.name}: {points} {'point' if points == '1' else 'points'} in {games}"
    )


@row(say=_ladder, word="LADDER")
class LadderRow(Row):
    """A place on the ladder of a week."""

    name: Name
    game: Annotated[Token, "the game"]
    rules: Annotated[Token, "the preset"]
    week: Annotated[Token, "the week, of ISO 8601, in UTC"]
    halves: Annotated[Int, "half points: two for each player beaten, one for each tie"]
    games: Annotated[Int, "number of games"]
    rank: Annotated[Int, "the place: by points, then by fewer games"]


# ------------------------------------------------------------------------------- events


def _rated(said: Rated, _: Voice) -> str:
    return (
        f"* {said.id} counts: your rating ({said.game}, {said.rules}) "
        f"is {said.new} ({said.new - said.old:+d})."
    )


@event("me", say=_rated)
class Rated(Event):
    """A rated game of yours is over, and your rating has changed."""

    game: Annotated[Token, "the game"]
    rules: Annotated[Token, "the preset"]
    id: Annotated[Token, "the game's number"]
    old: Annotated[Int, "the rating before"]
    new: Annotated[Int, "the rating now"]
    games: Annotated[Int, "the number of rated games so far"]
