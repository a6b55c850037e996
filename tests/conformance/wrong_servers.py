"""Servers that break one MUST each: a proxy in front of a right one, which spoils a line or two.

with Proxy(address, WRONG["seq_skips"]) as wrong:
    run(wrong.address, ...)
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from twentytwo_conform.connections import Address

Memory = dict[str, str]
"""What is remembered of one connection, in both directions."""
Spoil = Callable[[str, Memory], str | Iterable[str]]
"""What becomes of a line: another, several, none."""


def _as_it_is(line: str, memory: Memory) -> str:
    return line


@dataclass(frozen=True)
class Wrong:
    """How a server is wrong: the MUST that it breaks, a case that shows it, and what it does.

    `of_server` and `of_client` spoil the lines of each, without their ends; `end` ends the
    server's. `of_bytes` spoils the server's bytes as they come, in place of lines, and at the end
    none; what a client says is passed on as it comes then. `strict`: the server behind it has its
    limits on. `slow`: the case takes long with a right server.
    """

    id: str
    case: str
    of_server: Spoil = field(default=_as_it_is)
    of_client: Spoil = field(default=_as_it_is)
    end: bytes = b"\r\n"
    of_bytes: Callable[[bytes], bytes] | None = None
    strict: bool = False
    slow: bool = False


class Proxy:
    """A server on a port of its own that passes everything on to another, spoiled."""

    def __init__(self, upstream: Address, wrong: Wrong | None = None) -> None:
        self._upstream, self._wrong = upstream, wrong
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.address: Address = self._listening.getsockname()
        self._open: list[socket.socket] = []
        self._threads = [self._thread(self._accept)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for each in (self._listening, *self._open):
            _shut(each, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in (self._listening, *self._open):
            each.close()

    def _thread(self, target: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        thread.start()
        return thread

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(self._upstream)
            for each in (client, server):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                    # What the proxy holds back must not hide that a client does not read.
                    each.setsockopt(socket.SOL_SOCKET, buffer, 1 << 14)
                self._open.append(each)
            memory: Memory = {}
            wrong = self._wrong
            if wrong is not None and wrong.of_bytes is not None:
                self._threads.append(self._thread(_pour, server, client, wrong.of_bytes))
                self._threads.append(self._thread(_pump, client, server, None, memory, b""))
                continue
            out, back = (wrong.of_server, wrong.of_client) if wrong else (None, None)
            end = wrong.end if wrong else b""
            self._threads.append(self._thread(_pump, server, client, out, memory, end))
            self._threads.append(self._thread(_pump, client, server, back, memory, b"\n"))


def _pump(
    source: socket.socket, sink: socket.socket, spoil: Spoil | None, memory: Memory, end: bytes
) -> None:
    """Passes on what comes until no more does; by lines, where they are to be spoiled."""
    held = b""
    try:
        while data := source.recv(1 << 16):
            if spoil is None:
                sink.sendall(data)
                continue
            *lines, held = (held + data).split(b"\n")
            told = b""
            for line in lines:
                spoiled = spoil(line.decode("latin-1").removesuffix("\r"), memory)
                for each in (spoiled,) if isinstance(spoiled, str) else spoiled:
                    told += each.encode("latin-1") + end
            sink.sendall(told)
        sink.sendall(held)
    except OSError:
        _shut(source, socket.SHUT_RD)
    _shut(sink, socket.SHUT_WR)


def _pour(source: socket.socket, sink: socket.socket, spoil: Callable[[bytes], bytes]) -> None:
    """Passes on what comes, spoiled, until no more does."""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            sink.sendall(spoil(data))
    with suppress(OSError):
        sink.sendall(spoil(b""))
    _shut(sink, socket.SHUT_WR)


def _shut(each: socket.socket, how: int) -> None:
    with suppress(OSError):  # it is already
        each.shutdown(how)


# ------------------------------------------------------------------------------ the wrong ones


def word_of(line: str) -> str:
    """The word of a line, also of a row or the end of a reply."""
    words = line.split(" ")
    return words[1] if words[0].startswith("@") and len(words) > 1 else words[0]


def _is_event(line: str) -> bool:
    return " seq=" in line and not line.startswith("@")


def _later(held: Callable[[str], bool], until: Callable[[str], bool]) -> Spoil:
    """Lines of one kind come only behind the next of another kind."""

    def spoil(line: str, memory: Memory) -> Iterable[str]:
        if held(line):
            memory["held"] = memory.get("held", "") + line + "\n"
            return ()
        if until(line):
            return (line, *memory.pop("held", "").splitlines())
        return (line,)

    return spoil


def _put(pattern: str, replacement: str, only: str = "") -> Spoil:
    """A pattern is replaced in every line that contains `only`."""

    def spoil(line: str, memory: Memory) -> str:
        return re.sub(pattern, replacement, line) if only in line else line

    return spoil


def _twice(line: str, memory: Memory) -> Iterable[str]:
    return (line, line) if word_of(line) == "EXCHANGED" and _is_event(line) else (line,)


def _seq_skips(line: str, memory: Memory) -> str:
    return re.sub(r" seq=(\d+)", lambda seq: f" seq={2 * int(seq[1])}", line)


def _after(verb: str, change: Callable[[str, Memory], Iterable[str]]) -> tuple[Spoil, Spoil]:
    """Changes lines only between a command of this verb and the end of its reply."""

    def of_client(line: str, memory: Memory) -> str:
        id, _, command = line.partition(" ")
        if id.startswith("@") and command.split(" ")[0] == verb:
            memory["id"], memory["command"] = id, command
        return line

    def of_server(line: str, memory: Memory) -> Iterable[str]:
        if "id" not in memory:
            return (line,)
        changed = change(line, memory)
        if line.startswith(f"{memory['id']} ") and word_of(line) in ("OK", "ERR"):
            del memory["id"]
        return changed

    return of_server, of_client


def _one_left_out(line: str, memory: Memory) -> Iterable[str]:
    return () if " seq=5 " in line and _is_event(line) else (line,)


def _no_final(line: str, memory: Memory) -> Iterable[str]:
    return () if line.startswith(f"{memory['id']} ") else (line,)


def _two_finals(line: str, memory: Memory) -> Iterable[str]:
    return (line, line) if line.startswith(f"{memory['id']} ") else (line,)


def _reply_first(line: str, memory: Memory) -> Iterable[str]:
    if line.startswith("@"):
        return (line, *memory.pop("held", "").splitlines())
    memory["held"] = memory.get("held", "") + line + "\n"
    return ()


def _a_move_is_missing(line: str, memory: Memory) -> str:
    found = re.search(r" nlegal=(\d+) legal=(\S+)", line)
    if not found or "," not in found[2]:
        return line
    fewer = found[2].rpartition(",")[0]
    return line.replace(found[0], f" nlegal={int(found[1]) - 1} legal={fewer}")


def _the_default_is_not_listed(line: str, memory: Memory) -> str:
    found = re.search(r" legal=(\S+)", line)
    default = re.search(r" default=(\S+)", line)
    if not found or not default:
        return line
    others = [move for move in found[1].split(",") if move != default[1]]
    return line.replace(found[0], f" legal={','.join(others)}")


def _without(pattern: str) -> Spoil:
    """Lines in which the pattern is found never come."""
    return lambda line, memory: () if re.search(pattern, line) else (line,)


def _a_row_again(line: str, memory: Memory) -> Iterable[str]:
    """Each page but the first begins with the last row of the page before."""
    row = line.partition(" ")[2]
    if row.startswith("OK "):
        return (line,)
    before, memory["row"] = memory.get("row", row), row
    return (f"{memory['id']} {before if ' after=' in memory['command'] else row}",)


def _note_resume(line: str, memory: Memory) -> str:
    if " resume " in line:
        memory["back"] = "1"
    return line


def _people_are_forgotten(line: str, memory: Memory) -> Iterable[str]:
    """After a resume nothing comes of what was followed."""
    return () if "back" in memory and re.match("[A-Z]+ on=people ", line) else (line,)


def _pings_people(line: str, memory: Memory) -> Iterable[str]:
    return (line, "PING n=1") if line.startswith("Welcome, ~") else (line,)


def _the_second_is_told_more(line: str, memory: Memory) -> str:
    if "BAD_LOGIN" not in line:
        return line
    again = "seen" in memory
    memory["seen"] = "1"
    return line + " There is no such account." if again else line


def _ids_in_small_letters(line: str, memory: Memory) -> str:
    id, space, rest = line.partition(" ")
    return (id.lower() if id.startswith("@") else id) + space + rest


def _all_ends_but_the_last(line: str, memory: Memory) -> str:
    return line if line.startswith("Goodbye") else f"{line}\r\n"


def _two_lines_are_one(line: str, memory: Memory) -> Iterable[str]:
    if "held" in memory:
        return (f"{memory.pop('held')} {line}",)
    memory["held"] = line
    return ()


def _a_question_twice(line: str, memory: Memory) -> Iterable[str]:
    again = line.startswith("TURN ") and " turn=3 " in line and " legal=" not in line
    return (line, line) if again else (line,)


def _note_watch(line: str, memory: Memory) -> str:
    if " watch " in line:
        memory["watches"] = "1"
    return line


def _to_watchers(spoil: Spoil) -> Spoil:
    """Spoils what somebody who has said `watch` is told."""
    return lambda line, memory: spoil(line, memory) if "watches" in memory else line


def _plays_at_once(line: str, memory: Memory) -> Iterable[str]:
    """The time of whoever is asked first is up at once, and what is played is not the default."""
    found = re.match(r"TURN (on=\S+) .*turn=1 (seat=\d+) .*ms=", line)
    if not found:
        return (line,)
    on, seat = found.groups()
    return line, f"TIMEOUT {on} seq=98 {seat}", f"EXCHANGED {on} seq=99 {seat} n=1 auto=1"


def _wider(data: bytes) -> bytes:
    return data.replace(b"\r\n", b" " * 90 + b"\r\n")


WRONG: Mapping[str, Wrong] = {
    "seq_skips": Wrong("O3", "replies.numbers_are_gapless[2]", _seq_skips),
    "an_event_comes_twice": Wrong("O3", "replies.numbers_are_gapless[3]", _twice),
    "the_event_comes_before_the_reply": Wrong(
        "O1",
        "replies.every_kind_of_command_is_answered_first[say :hello-SAID]",
        _later(lambda line: line.startswith("@") and " OK on=t" in line, _is_event),
    ),
    "an_event_of_a_move_comes_before_the_reply": Wrong(
        "O1",
        "replies.a_reply_comes_before_its_events",
        _later(lambda line: line.startswith("@") and " OK on=t" in line, _is_event),
    ),
    "an_early_answer_is_refused": Wrong(
        "O4", "replies.a_turn_is_answered_at_once", _put("^@m OK", "@m ERR code=NOT_YOUR_TURN")
    ),
    "a_question_stays_open": Wrong(
        "O7",
        "replies.there_is_one_question_to_a_seat_at_a_time",
        _without("^EXCHANGED "),
        slow=True,
    ),
    "the_goodbye_is_a_comment": Wrong(
        "F5",
        "replies.the_greeting_is_the_only_comment",
        lambda line, memory: ("# bye", line) if line.startswith("BYE ") else (line,),
    ),
    "a_bell_rings_in_a_list": Wrong(
        "P1", "people.everything_shown_is_plain_lines", _put("$", "\x07", "Whist 22")
    ),
    "the_goodbye_has_no_end": Wrong(
        "P2", "people.there_is_no_unfinished_line", _all_ends_but_the_last, end=b""
    ),
    "who_gives_up_is_no_guest": Wrong(
        "A13", "accounts.an_empty_line_gives_up", _put("^Welcome, ~", "Welcome, ")
    ),
    "it_speaks_telnet_first": Wrong(
        "F5", "mode.the_server_never_speaks_telnet_first", _put("^Welcome", "\xff\xfb\x01Welcome")
    ),
    "only_a_packets_first_lines_are_read": Wrong(
        "M7", "mode.everything_may_come_in_one_packet", of_client=_put("^@3 .*", "@5 ping")
    ),
    "an_answer_is_lost_when_half_is_closed": Wrong(
        "M7", "mode.a_client_that_has_closed_its_half_gets_its_answers", _without("^@p98 ")
    ),
    "two_answers_change_places": Wrong(
        "R3",
        "replies.many_pipelined_commands_are_answered_in_order",
        _later(lambda line: line.startswith("@n4 "), lambda line: line.startswith("@n5 ")),
    ),
    "lf_ends_no_line_of_a_person": Wrong(
        "F2",
        "framing.a_person_may_end_their_lines_in_three_ways[LF]",
        of_client=_two_lines_are_one,
    ),
    "a_word_comes_back_as_two": Wrong(
        "G1",
        "framing.a_word_that_comes_back_does_not_break_the_line[%]",
        _put(" pong=(?!-)", " pong=- "),
    ),
    "a_program_reads_a_sentence": Wrong(
        "M1",
        "mode.hello_1_makes_it_a_programs_connection[hello 1]",
        lambda line, memory: (line, "Good bye.") if line.startswith("BYE ") else (line,),
    ),
    "an_unknown_telnet_option_is_taken": Wrong(
        "M6",
        "mode.telnet_first_decides_nothing_yet[program]",
        of_bytes=lambda data: data.replace(b"\xff\xfe", b"\xff\xfd"),
    ),
    "a_terminal_never_shows_again_what_is_typed": Wrong(
        "P8",
        "accounts.a_terminal_that_speaks_telnet_shows_no_password[silent so far]",
        of_bytes=lambda data: data.replace(b"\xff\xfc\x01", b""),
    ),
    "tls_is_answered": Wrong(
        "M5",
        "mode.tls_is_closed_without_a_word[16]",
        of_bytes=lambda data: data or b"No TLS here.\r\n",
    ),
    "the_window_is_taken_to_be_wide": Wrong(
        "P8", "mode.the_window_size_sets_the_width[40]", of_bytes=_wider
    ),
    "who_is_not_on_turn_is_told_twice": Wrong("T2", "turns.turns_count_up", _a_question_twice),
    "a_watcher_is_told_something_else": Wrong(
        "S1",
        "streams.everybody_sees_the_same_events_under_the_same_numbers",
        _to_watchers(_put(r" left=\d+", " left=99", "PLAYED ")),
        of_client=_note_watch,
        slow=True,
    ),
    "a_watcher_begins_elsewhere": Wrong(
        "S6",
        "streams.a_watcher_sees_what_happens_from_the_next_number_on",
        *_after("watch", _put(r" seq=", " seq=9")),
    ),
    "nobody_wins": Wrong(
        "T1",
        "turns.a_client_of_defaults_plays_any_game",
        _put(r" winners=\S+", " winners=", "GAMEOVER "),
    ),
    "games_are_broken_off": Wrong(
        "W1",
        "turns.every_game_of_the_server_is_played_without_knowing_it[0]",
        _put("^GAMEOVER ", "ABORTED "),
        slow=True,
    ),
    "a_word_is_put_into_ones_mouth": Wrong(
        "X12",
        "fairness.who_looked_for_players_need_say_nothing_more",
        lambda line, memory: (
            (line, "SHUFFLED on=t1 seq=1 words=-,kitten")
            if line.startswith("NOTE code=FOUND ")
            else line
        ),
    ),
    "the_time_is_up_at_once": Wrong(
        "T1",
        "waiting.when_the_time_is_up_the_default_is_played",
        _plays_at_once,
        strict=True,
        slow=True,
    ),
    "a_bot_plays_for_somebody_else": Wrong(
        "C5",
        "waiting.after_the_time_of_grace_a_bot_plays",
        _put(r" seat=\d+", " seat=9", " bot=1"),
        strict=True,
    ),
    "a_ping_has_no_number": Wrong(
        "K2",
        "waiting.a_silent_program_is_asked_whether_it_is_there",
        lambda line, memory: (line, "PING") if " OK name=" in line else line,
        strict=True,
        slow=True,
    ),
    "who_is_one_too_many_may_not_come_back": Wrong(
        "L5",
        "limits.an_address_has_so_many_connections",
        _put("^BYE code=BUSY resume=1", "BYE code=BUSY resume=0"),
        strict=True,
    ),
    "who_asks_for_much_gets_little": Wrong(
        "L4",
        "limits.a_client_that_asks_for_much_and_reads_late_gets_all_of_it",
        of_client=_put(r"^(@d\d\d+) .*", r"\1 ping"),
        slow=True,
    ),
    "nobody_plays_while_somebody_does_not_read": Wrong(
        "L6",
        "limits.a_client_that_does_not_read_is_cut_off_and_nobody_notices",
        *_after("move", _put("OK .*", "ERR code=BUSY")),
        slow=True,
    ),
    "it_hangs_up_on_http_without_a_word": Wrong(
        "M4",
        "mode.what_is_no_line_yet_keeps_nobody_waiting",
        of_bytes=lambda data: b"" if data.startswith(b"HTTP/") else data,
    ),
    "a_play_shows_half_a_card": Wrong(
        "D2",
        "turns.plays_show_whole_cards_highest_first",
        _put(r" cards=(\w)\w", r" cards=\1", "PLAYED "),
    ),
    "a_question_hides_the_play_to_beat": Wrong(
        "T6",
        "turns.a_question_says_what_is_to_beat_and_what_is_held",
        _put(r" beat=\S+", "", "TURN "),
    ),
    "a_watcher_has_a_turn": Wrong(
        "T7",
        "turns.somebody_elses_move_is_not_theirs_to_make",
        _put("=NOT_SEATED", "=NOT_YOUR_TURN"),
    ),
    "no_trick_begins": Wrong(
        "O4", "turns.the_events_of_a_game_come_in_their_order", _without("^TRICK ")
    ),
    "a_stream_is_forgotten_at_a_cut": Wrong(
        "C1",
        "reconnecting.a_game_cut_at_every_number_is_rebuilt_the_same",
        _without(r"^@\S+ AT on=me "),
        slow=True,
    ),
    "old_numbers_are_a_wrong_argument": Wrong(
        "S3", "streams.what_is_no_longer_kept_is_said_to_be_gone", _put("=GONE", "=BAD_ARG")
    ),
    "it_stumbles_over_noise": Wrong(
        "L6",
        "limits.random_commands_are_never_a_fault",
        _put(r" ERR code=\w+", " ERR code=INTERNAL"),
    ),
    "a_move_in_turn_is_too_fast": Wrong(
        "L2", "limits.moves_in_turn_are_never_too_fast", _put(" OK on=t", " ERR code=RATE on=t")
    ),
    "a_text_in_an_object_is_changed": Wrong(
        "J8", "forms.what_is_said_in_an_object_is_a_text_like_any_other", _put("100%", "100")
    ),
    "too_fast_has_another_code": Wrong(
        "L1",
        "limits.too_many_commands_are_refused_and_may_be_repeated",
        _put("=RATE", "=BUSY"),
        strict=True,
    ),
    "talk_has_no_limit": Wrong(
        "L1", "limits.talk_has_a_limit_of_its_own", _put("=RATE", "=BUSY"), strict=True
    ),
    "a_dear_command_is_cheap": Wrong(
        "L1",
        "limits.a_dear_command_counts_as_several",
        _put(r" cost=\d+", " cost=1", "VERB name=sync"),
        strict=True,
    ),
    "a_reply_has_no_end": Wrong(
        "R1", "replies.a_verb_gets_exactly_one_reply[time]", *_after("time", _no_final)
    ),
    "a_reply_ends_twice": Wrong(
        "R2", "replies.a_verb_gets_exactly_one_reply[time]", *_after("time", _two_finals)
    ),
    "an_id_is_changed": Wrong("R1", "replies.an_id_comes_back[A-b_c.9]", _ids_in_small_letters),
    "n_is_wrong": Wrong(
        "R5", "replies.a_list_ends_with_the_number_of_its_rows[games]", _put(r" n=4\b", " n=5")
    ),
    "sync_answers_first": Wrong(
        "O2",
        "replies.what_sync_repeats_comes_before_its_reply",
        *_after("sync", _reply_first),
    ),
    "sync_leaves_one_out": Wrong(
        "S2", "streams.sync_repeats_what_was_sent[0]", *_after("sync", _one_left_out)
    ),
    "state_disagrees": Wrong(
        "S4",
        "streams.the_state_is_the_fold_around_a_game_too",
        _put(r"(^@\S+ SEAT .*) name=\S+", r"\1 name=~somebody"),
        slow=True,
    ),
    "the_cards_of_others_are_shown": Wrong(
        "V1",
        "hidden_cards.owned_fields_go_to_their_owner_only",
        _put(r"^(DEALT (?!.* cards=).*)$", r"\1 cards=2H"),
        slow=True,
    ),
    "the_moves_of_others_are_told": Wrong(
        "V1",
        "hidden_cards.nobody_sees_a_card_of_another[nothing]",
        of_client=_put(r"^(@\S+) moves$", r"\1 ping"),
        slow=True,
    ),
    "all_have_the_same_token": Wrong(
        "V5", "hidden_cards.a_token_is_sent_to_its_owner_only", _put(r" token=\S+", " token=same")
    ),
    "an_export_is_that_of_another_seat": Wrong(
        "H4",
        "records.an_export_is_to_each_seat_what_the_table_told_it",
        of_client=_put(" seat=2$", " seat=1", " export "),
    ),
    "a_private_table_is_known": Wrong(
        "V4",
        "hidden_cards.a_private_table_does_not_exist_for_others",
        _put("code=NO_SUCH_TABLE", "code=FORBIDDEN"),
    ),
    "who_was_replaced_may_come_back": Wrong(
        "C4",
        "reconnecting.the_newest_connection_wins",
        _put("code=REPLACED resume=0", "code=REPLACED resume=1"),
    ),
    "a_question_has_no_default": Wrong(
        "T1", "turns.the_default_is_among_the_legal_moves", _put(r" default=\S+", "")
    ),
    "the_default_is_not_listed": Wrong(
        "T3", "turns.the_default_is_among_the_legal_moves", _the_default_is_not_listed
    ),
    "a_legal_move_is_missing": Wrong(
        "T3", "turns.the_legal_list_is_exact[twentytwo-seed=3 options=limit:12]", _a_move_is_missing
    ),
    "a_move_for_another_turn_is_taken": Wrong(
        "T2",
        "turns.a_move_for_another_turn_is_refused[1]",
        of_client=_put(r" turn=\d+", "", "move"),
    ),
    "an_event_follows_the_question": Wrong(
        "O4",
        "replies.a_turn_comes_last",
        _later(lambda line: line.startswith("EXCHANGED "), lambda line: line.startswith("TURN ")),
    ),
    "a_game_goes_on_after_its_end": Wrong(
        "O5",
        "replies.gameover_is_the_last_event",
        _later(
            lambda line: line.startswith("GAMEOVER "), lambda line: line.startswith("COMMITTED ")
        ),
    ),
    "an_error_has_no_code": Wrong(
        "E2", "errors.a_code_is_reached_in_a_game[BAD_SYNTAX]", _put(r" code=\S+", "", " ERR ")
    ),
    "it_hangs_up_without_bye": Wrong(
        "E6",
        "errors.quitting_ends_with_bye",
        lambda line, memory: () if line.startswith("BYE ") else line,
    ),
    "lines_end_in_lf": Wrong(
        "F2", "framing.the_server_ends_its_lines_with_cr_lf[program]", end=b"\n"
    ),
    "a_control_stands_in_a_line": Wrong(
        "F3",
        "framing.no_line_of_the_server_has_a_control_in_it",
        _put("^(TOLD .*)boo", "\\1\x07boo"),
    ),
    "a_long_line_is_cut": Wrong(
        "F4",
        "framing.a_line_beyond_the_limit_is_refused_whole[1025-LF]",
        of_client=lambda line, memory: line[:1000],
    ),
    "a_line_is_too_long": Wrong(
        "F4",
        "forms.every_line_of_a_game_follows_the_grammar",
        _put("^(TOLD .*)$", r"\1 " + "x" * 9000),
        slow=True,
    ),
    "another_version_is_taken": Wrong(
        "M2",
        "mode.another_version_is_refused_and_the_connection_closed[2]",
        of_client=_put(r"hello 2", "hello 1"),
    ),
    "people_are_pinged": Wrong("K3", "people.a_person_can_leave_at_any_time", _pings_people),
    "clients_with_a_name_get_grease": Wrong(
        "W2",
        "forms.a_client_that_says_who_it_is_gets_none",
        of_client=_put(r" client=\S+", ""),
    ),
    "numbers_are_text_in_json": Wrong(
        "J2",
        "forms.every_line_in_json_fits_its_schema[twentytwo]",
        _put(r'"seq":(\d+)', r'"seq":"\1"'),
        slow=True,
    ),
    "guessing_tells_who_is_there": Wrong(
        "A4", "accounts.what_is_wrong_is_wrong_in_the_same_words", _the_second_is_told_more
    ),
    "another_seed_was_sealed": Wrong(
        "X1",
        "fairness.a_deal_follows_from_the_seed_that_was_sealed_and_the_words",
        _put(r"(COMMITTED .*) hash=\S{4}", r"\1 hash=0000"),
    ),
    # --- what is left out on purpose
    "what_a_filter_leaves_out_is_not_said": Wrong(
        "S7", "streams.what_a_filter_leaves_out_is_said", _without("^GAP ")
    ),
    "gap_stops_short": Wrong(
        "S7",
        "streams.what_a_filter_leaves_out_is_said",
        _put(r"^GAP on=tables seq=\d+", "GAP on=tables seq=0"),
    ),
    "gap_goes_too_far": Wrong(
        "S5",
        "streams.what_a_filter_leaves_out_is_said",
        _put(r"^GAP on=tables seq=", "GAP on=tables seq=1"),
    ),
    "talk_that_was_kept_back_is_not_said_to_be": Wrong(
        "S7", "streams.watchers_talk_is_kept_from_players_during_a_game", _without("^GAP ")
    ),
    # --- clocks
    "no_time_is_told_after_a_pause": Wrong(
        "K4", "streams.a_pause_tells_the_time_left", _without("^CLOCK .*run=1")
    ),
    "a_clock_that_stands_runs": Wrong(
        "K4", "streams.a_pause_tells_the_time_left", _put("run=0", "run=1", "CLOCK ")
    ),
    "more_time_is_told_than_there_is": Wrong(
        "K4", "streams.a_pause_tells_the_time_left", _put(r" ms=(\d)", r" ms=9\1", "CLOCK ")
    ),
    "a_clock_is_numbered": Wrong(
        "K4", "streams.a_pause_tells_the_time_left", _put(r"^CLOCK on=t(\d+)", r"\g<0> seq=77")
    ),
    "no_time_is_told_to_who_comes_back": Wrong(
        "K5", "streams.the_time_left_is_told_to_who_comes_back", _without(r"^@\S+ CLOCK ")
    ),
    "sync_tells_no_time": Wrong(
        "K5", "streams.the_time_left_is_told[sync {on} from=1]", _without(r"^@\S+ CLOCK ")
    ),
    "the_clock_of_another_seat_is_told": Wrong(
        "K5",
        "streams.the_time_left_is_told[state {on}]",
        lambda line, memory: re.sub(
            r"( CLOCK .* seat=)(\d)", lambda found: found[1] + str(3 - int(found[2])), line
        ),
    ),
    # --- coming back
    "a_stream_is_not_answered": Wrong(
        "C1", "reconnecting.every_stream_is_answered_for_itself", _without(" AT on=t99999")
    ),
    "it_is_caught_up_from_elsewhere": Wrong(
        "C1",
        "reconnecting.every_stream_is_answered_for_itself",
        _put(r" from=3\b", " from=4", " AT "),
    ),
    "a_stream_stands_elsewhere": Wrong(
        "C1",
        "reconnecting.every_stream_is_answered_for_itself",
        _put(r" AT on=t(\d+) seq=", r" AT on=t\1 seq=1"),
    ),
    "numbers_of_an_earlier_start_are_taken": Wrong(
        "C7",
        "reconnecting.numbers_of_another_start_mean_nothing",
        of_client=_put(r" boot=\S+", "", " resume "),
    ),
    "what_was_followed_is_forgotten": Wrong(
        "C8",
        "reconnecting.what_was_followed_and_watched_is_resumed",
        _people_are_forgotten,
        _note_resume,
    ),
    "a_table_is_not_watched_again": Wrong(
        "C8",
        "reconnecting.what_was_followed_and_watched_is_resumed",
        of_client=_put(r" t\d+:\d+", "", " resume "),
    ),
    "who_joins_is_told_another_number": Wrong(
        "S8",
        "streams.who_comes_in_the_middle_has_it_all_by_sync",
        _put(r"( OK on=t\d+ seat=2) seq=", r"\1 seq=1"),
    ),
    # --- pages
    "the_first_page_is_the_last": Wrong(
        "R9", "replies.a_long_list_comes_in_pages[games]", _put(r" next=\S+", "")
    ),
    "pages_begin_again": Wrong(
        "R9",
        "replies.a_long_list_comes_in_pages[who]",
        of_client=_put(r" after=\S+", "", " who "),
    ),
    "a_row_is_on_two_pages": Wrong(
        "R9", "replies.a_long_list_comes_in_pages[games]", *_after("games", _a_row_again)
    ),
    "a_page_is_as_long_as_it_likes": Wrong(
        "R9",
        "replies.a_long_list_comes_in_pages[watchers]",
        of_client=_put(r" n=\d+", "", " watchers "),
    ),
    "a_page_of_none_is_taken": Wrong(
        "R9", "replies.a_page_has_a_length[0]", of_client=_put(" n=0", " n=1")
    ),
    "a_listing_stands_later_than_it_does": Wrong(
        "R11",
        "replies.no_table_is_missed_by_whoever_lists_and_follows",
        _put(r" OK on=tables seq=", " OK on=tables seq=9"),
    ),
    "a_listing_has_no_number": Wrong(
        "R11",
        "replies.no_table_is_missed_by_whoever_lists_and_follows",
        _put(r"( OK on=tables) seq=\d+", r"\1"),
    ),
    # --- the lobby
    "other_games_are_told_of": Wrong(
        "Y1", "streams.a_filter_leaves_out_other_games", of_client=_put(" game=whist22", "")
    ),
    "what_is_left_is_still_told_of": Wrong(
        "Y1", "streams.the_lobby_is_followed_and_left", of_client=_put("unfollow", "follow")
    ),
    "a_lock_is_not_told": Wrong("Y1", "streams.a_lock_is_told", _put("locked=1", "locked=0")),
    "a_lock_is_told_in_other_words": Wrong(
        "Y1", "streams.a_lock_is_told", _put("value=yes", "value=on", "key=locked")
    ),
    "options_are_not_told_of": Wrong(
        "Y2", "lobby.a_seek_is_answered_by_its_number", _put(r" options=\S+", "", "SOUGHT ")
    ),
    "another_seek_is_taken_back": Wrong(
        "Y2", "lobby.a_seek_is_answered_by_its_number", _put("(UNSOUGHT .*seek=)", r"\g<1>9")
    ),
    "a_seek_is_listed_unlike_it_was_told": Wrong(
        "Y2", "lobby.a_seek_is_answered_by_its_number", _put(r" players=2", " players=3", " SEEK ")
    ),
    "who_is_found_is_not_told_where": Wrong(
        "Y2", "lobby.a_seek_is_answered_by_its_number", _put(r" table=\S+", "", "NOTE ")
    ),
    "an_invitation_names_no_table": Wrong(
        "Y3", "lobby.the_inviter_is_told", _put(r" table=\S+", "", "INVITED ")
    ),
    "another_has_declined": Wrong(
        "Y3", "lobby.the_inviter_is_told", _put(r" name=\S+", " name=~nobody", "DECLINED ")
    ),
    # --- games and their rules
    "rules_do_not_name_their_game": Wrong(
        "D5", "replies.games_presets_and_rules_name_their_game", _put(r"( RULE) game=\S+", r"\1")
    ),
    "every_game_is_described": Wrong(
        "D5",
        "replies.games_presets_and_rules_name_their_game",
        of_client=_put("describe games .*", "describe games"),
    ),
    "a_preset_is_missing": Wrong(
        "D5", "replies.games_presets_and_rules_name_their_game", _without(" PRESET .*rules=bga")
    ),
    "a_game_is_for_more_than_its_preset": Wrong(
        "D5",
        "replies.games_presets_and_rules_name_their_game",
        _put(" max=12", " max=13", " GAME "),
    ),
    "rules_are_as_in_the_preset": Wrong(
        "D5",
        "replies.the_rules_of_a_table_are_as_it_has_them",
        _put("default=pagat", "default=seed", "key=order"),
    ),
}
"""Wrong servers, each by what it does."""

STARTED: Mapping[str, tuple[str, Sequence[str]]] = {
    "an_account_is_forgotten": ("accounts.an_account_outlives_the_server", ["--memory"]),
    "too_few_guesses_are_looked_at": (
        "accounts.who_guesses_has_to_wait",
        ["--set", "logins.each_address=8"],
    ),
}
"""Wrong servers that a check starts: the case that shows it, and the options that make it wrong."""
