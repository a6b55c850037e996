"""The shared parts of a server: people, tables, the lobby, and the ports to the outside.

It knows no commands: `commands.dispatch` gives lines to their handlers.
"""

from __future__ import annotations

from ..facts import Boot, Fact, Remembered
from ..failpoints import failpoint
from ..games.game import Games
from ..limits.logins import FREE, LoginLimits
from ..limits.quotas import NO_QUOTA, Quotas
from ..ports import BotWorkers, Hasher, Numbered, Store
from ..scheduler import Scheduler
from .availability import Availability
from .config import Config, LiveConfig
from .connections import Connections
from .dailies import Dailies
from .earlier_games import EarlierGames
from .faults import Faults
from .friends import FriendLists
from .guest_merge import GuestMerges
from .lobby.lobby import Lobby
from .lobby.seeks import Seeks
from .lobby.table_list import TableList
from .moderation.invite_codes import InviteCodes
from .moderation.reports import Reports
from .moderation.sanctions import Sanctions
from .numbers import NewNumbers
from .pairs import Pairs
from .parts import Parts
from .people.elsewhere import Elsewhere
from .people.inboxes import Inboxes
from .people.people import People
from .people.viewers import Viewers
from .presence import Presence
from .ratings import Ratings
from .replays import Replays
from .results import Results
from .reviews import Reviews
from .room_services import RoomServices
from .surroundings import Surroundings
from .tables.deals import Deals
from .tables.pausable_clock import PausableClock
from .tables.rooms import Rooms
from .tables.set_aside import SetAsideTables
from .tables.watchers_talk import WatchersTalk


class Host:
    """All parts of a server, put together.

    `clock` is the timeline of the tables, which can be paused. `presence` is where people come and
    go, `availability` the state of the server as a whole, `tables` serves the rooms, and `faults`
    logs errors.
    """

    def __init__(self, outside: Surroundings, games: Games, config: Config) -> None:
        clock, store, chance = outside.clock, outside.store, outside.chance
        self.config = LiveConfig(config)
        self.games = games
        self.store = store
        self.metrics = outside.metrics
        self.chance = chance
        self.hasher = outside.hasher
        self.clock = PausableClock(clock)
        self.faults = Faults(config.boot)
        self.connections = Connections()
        self.availability = Availability(self.clock, clock, self.connections)
        self.scheduler = Scheduler(clock)
        self.login_limits = LoginLimits(self.clock.now, FREE if config.dev else config.logins)
        self.quotas = Quotas(NO_QUOTA if config.dev else config.quotas, self.clock.now)
        self.sanctions = Sanctions(clock.wall)
        self.reports = Reports(clock.wall, NewNumbers(Numbered.REPORT, store.reserve))
        self.invite_codes = InviteCodes(clock.wall)
        self.people = People(chance.token, self.clock.now, store)
        self.elsewhere = Elsewhere(self.people, clock.now)
        self.viewers = Viewers(self.people, self.faults.log)
        self.inboxes = Inboxes(store, self.clock, self.people, self.viewers)
        self.friends = FriendLists(self.people, self.clock.now)
        self.lobby = Lobby(self.clock, self.people)
        self.table_list = TableList(self.lobby)
        self.seeks = Seeks(self.lobby)
        self.rooms = Rooms(self.people, NewNumbers(Numbered.TABLE, store.reserve))
        self.deals = Deals(chance.secret, NewNumbers(Numbered.GAME, store.reserve))
        self.watchers_talk = WatchersTalk()
        self.set_aside = SetAsideTables()
        log = self.faults.log
        self.results = Results(store, self.clock, self.people, self.inboxes, log)
        self.ratings = Ratings(store, self.config, self.people, self.inboxes, self.results, log)
        self.dailies = Dailies(clock, store, games, chance.secret)
        self.replays = Replays(clock, self.scheduler, self.faults.log)
        self.reviews = Reviews(outside.review_workers)
        self.earlier_games = EarlierGames(store, outside.review_workers, self.faults.log)
        ports = {Games: games, Store: store, Hasher: self.hasher, BotWorkers: outside.bot_workers}
        self.parts = Parts(ports | {type(part): part for part in vars(self).values()})
        self.presence = self.parts.make(Presence)
        self.tables = self.parts.make(RoomServices)
        self.pairs = self.parts[Pairs] = self.tables.pairs
        self.merges = self.parts.make(GuestMerges)
        store.watch(self.availability.storage_changed)

    def restore(self, remembered: Remembered) -> list[Fact]:
        """Restores numbers and people, but no tables. Returns facts to store once the tables are
        restored.

        Call it first.
        """
        self.rooms.resume_numbers(remembered.table)
        self.deals.continue_from(remembered.game, remembered.promise)
        self.clock.set(remembered.at)
        self.people.restore(remembered)
        self.dailies.restore(remembered)
        self.friends.restore(remembered.friends)
        ended = self.sanctions.restore(remembered.sanctions)
        self.reports.restore(remembered.report, remembered.reports)
        self.invite_codes.restore(remembered.invite_codes)
        failpoint("people restored")
        for game in remembered.unrated:
            self.ratings.rate(game)
        self.results.tell([person.name for person in self.people])
        boot = Boot(self.config.now.boot, self.clock.now(), self.clock.wall())
        # Another server may have put a new ban in the place of an old one meanwhile.
        return [boot] if self.config.now.clustered else [boot, *ended]
