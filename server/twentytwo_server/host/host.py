"""The shared parts of a server: people, tables, the lobby, and the ports to the outside.

It knows no commands: `commands.dispatch` gives lines to their handlers.
"""

from __future__ import annotations

from typing import Any

from ..facts import Remembered
from ..games.game import Games
from ..limits.logins import FREE, LoginLimits
from ..limits.quotas import NO_QUOTA, Quotas
from ..ports import Hasher, Store
from ..scheduler import Scheduler
from .access import Access
from .availability import Availability
from .config import Config, LiveConfig
from .connections import Connections
from .dailies import Dailies
from .daily_results import DailyResults
from .earlier_games import EarlierGames
from .faults import Faults
from .friends import FriendLists
from .guest_merge import GuestMerges
from .holdings import Holdings
from .lobby.lobby import Lobby
from .lobby.seeks import Seeks
from .moderation.invite_codes import InviteCodes
from .moderation.reports import Reports
from .moderation.sanctions import Sanctions
from .new_table import NewTables
from .people.inboxes import Inboxes
from .people.people import People
from .people.viewers import Viewers
from .personal_records import PersonalRecords
from .presence import Presence
from .ratings import Ratings
from .replays import Replays
from .reviews import Reviews
from .room_services import RoomServices
from .surroundings import Surroundings
from .tables.deals import Deals
from .tables.pausable_clock import PausableClock
from .tables.rooms import Rooms
from .tables.set_aside import SetAsideTables


class Host:
    """All parts of a server, put together.

    `clock` is the timeline of the tables, which can be paused. `presence` is where people come and
    go, `availability` the state of the server as a whole, `tables` serves the rooms, and `faults`
    logs errors. `dummy_key_secret` is made at the first `auth` (`commands.accounts.login`).
    """

    def __init__(self, outside: Surroundings, games: Games, config: Config) -> None:
        clock, store, chance = outside.clock, outside.store, outside.chance
        self.config = LiveConfig(config)
        self.games = games
        self.store = store
        self.metrics = outside.metrics
        self.chance = chance
        self.hasher = outside.hasher
        self.dummy_key_secret = b""
        self.clock = PausableClock(clock)
        self.faults = Faults(config.boot)
        self.connections = Connections()
        self.availability = Availability(self.clock, clock, self.connections)
        self.scheduler = Scheduler(clock)
        self.login_limits = LoginLimits(self.clock.now, FREE if config.dev else config.logins)
        self.quotas = Quotas(NO_QUOTA if config.dev else config.quotas, self.clock.now)
        self.sanctions = Sanctions(clock.wall)
        self.reports = Reports()
        self.invite_codes = InviteCodes(clock.wall)
        self.people = People(chance.token, self.clock.now, store)
        self.viewers = Viewers(self.people, self.faults.log)
        self.inboxes = Inboxes(store, self.clock, self.people, self.viewers)
        self.friends = FriendLists(self.people, self.clock.now)
        self.lobby = Lobby(self.clock, self.people)
        self.seeks = Seeks(self.lobby)
        self.rooms = Rooms(self.people)
        self.deals = Deals(chance.secret)
        self.set_aside = SetAsideTables()
        self.ratings = Ratings(store, self.people, self.inboxes, self.faults.log)
        self.dailies = Dailies(clock, store, games, chance.secret)
        self.daily_results = DailyResults(store, self.people, self.inboxes, self.faults.log)
        self.replays = Replays(clock, self.scheduler, self.faults.log)
        self.reviews = Reviews(outside.review_workers)
        self.earlier_games = EarlierGames(store, outside.review_workers, self.faults.log)
        self.records = PersonalRecords(self.sanctions, self.reports, self.dailies, self.set_aside)
        self.presence = Presence(
            people=self.people,
            connections=self.connections,
            rooms=self.rooms,
            lobby=self.lobby,
            seeks=self.seeks,
            friends=self.friends,
            replays=self.replays,
            reviews=self.reviews,
            records=self.records,
            reports=self.reports,
            store=store,
            clock=self.clock,
            config=self.config,
        )
        self.tables = RoomServices(
            clock=self.clock,
            store=store,
            metrics=self.metrics,
            scheduler=self.scheduler,
            bot_workers=outside.bot_workers,
            chance=chance,
            config=self.config,
            faults=self.faults,
            people=self.people,
            viewers=self.viewers,
            connections=self.connections,
            rooms=self.rooms,
            lobby=self.lobby,
            deals=self.deals,
            dailies=self.dailies,
            daily_results=self.daily_results,
            ratings=self.ratings,
            set_aside=self.set_aside,
            presence=self.presence,
            availability=self.availability,
        )
        self.pairs = self.tables.pairs
        self.access = Access(self.rooms, self.set_aside, self.lobby)
        self.merges = GuestMerges(
            self.people, self.rooms, self.records, self.presence, store, self.faults
        )
        self.holdings = Holdings(
            self.people, self.rooms, self.tables, self.seeks, self.quotas, self.config
        )
        self.new_tables = NewTables(
            self.people, self.rooms, self.tables, self.holdings, self.availability, self.config
        )
        store.watch(self.availability.storage_changed)

    def parts(self) -> dict[Any, object]:
        """The parts by their types."""
        ports = {Games: self.games, Store: self.store, Hasher: self.hasher}
        return ports | {type(part): part for part in vars(self).values()}

    def resume_numbers(self, remembered: Remembered) -> None:
        """Continues the numbers and the timeline of the earlier run. Call it first."""
        self.rooms.resume_numbers(remembered.table)
        self.deals.continue_from(remembered.game, remembered.promise)
        self.clock.set(remembered.at)
