"""Every check fails where a server is wrong: none is empty."""

from __future__ import annotations

import pytest

from tests.conformance.faults import checks, finds, kept, with_own_fault
from twentytwo_conform.connections import Address

FAULTS = kept()
WITHOUT = {
    "accounts.a_game_that_counts_is_rated",
    "accounts.an_account_outlives_the_server",
    "accounts.an_empty_line_gives_up",
    "accounts.who_guesses_has_to_wait",
    "accounts.who_logs_in_during_a_game_knows_the_seat_by_its_cards",
    "arguments.a_move_may_name_its_table",
    "arguments.a_text_without_its_colon_is_refused",
    "arguments.what_is_said_of_a_table_may_name_it",
    "errors.a_reason_is_reached_and_why_agrees",
    "fairness.a_pair_of_tables_has_one_deck",
    "fairness.a_snapshot_has_the_seal_and_the_words",
    "fairness.a_start_is_called_off_when_somebody_leaves_before_all_words_are_open",
    "fairness.the_log_has_the_seed_of_a_game_that_is_over",
    "fairness.who_looked_for_players_has_time_for_a_word",
    "fairness.who_looked_for_players_need_say_nothing_more",
    "forms.both_forms_have_the_same_fields",
    "forms.strangers_are_sent_grease",
    "forms.what_is_said_in_an_object_is_a_text_like_any_other",
    "framing.a_guest_is_marked_everywhere",
    "limits.a_client_that_asks_for_much_and_reads_late_gets_all_of_it",
    "limits.a_client_that_does_not_read_is_cut_off_and_nobody_notices",
    "limits.a_dear_command_counts_as_several",
    "limits.an_address_has_so_many_connections",
    "limits.moves_in_turn_are_never_too_fast",
    "limits.random_bytes_stop_nobody_else",
    "limits.random_commands_are_never_a_fault",
    "limits.talk_has_a_limit_of_its_own",
    "limits.too_many_commands_are_refused_and_may_be_repeated",
    "mode.any_other_first_line_is_a_persons",
    "mode.everything_may_come_in_one_packet",
    "mode.hello_1_makes_it_a_programs_connection",
    "mode.telnet_first_decides_nothing_yet",
    "mode.the_server_never_speaks_telnet_first",
    "mode.the_window_size_sets_the_width",
    "mode.tls_is_closed_without_a_word",
    "mode.what_is_no_line_yet_keeps_nobody_waiting",
    "people.a_refused_move_teaches_one_that_is_accepted",
    "people.everything_shown_is_plain_lines",
    "people.tables_with_bots_are_lost_by_nothing_else",
    "people.there_is_no_unfinished_line",
    "records.a_private_game_is_hidden_from_others",
    "records.a_replay_can_be_stopped",
    "replies.a_reply_comes_before_its_events",
    "replies.a_turn_is_answered_at_once",
    "replies.ping_is_a_fence_for_the_table_before_too",
    "replies.the_greeting_is_the_only_comment",
    "replies.there_is_one_question_to_a_seat_at_a_time",
    "streams.a_finished_game_can_be_taken_up_from_any_number",
    "streams.a_game_cut_at_every_number_is_rebuilt_the_same",
    "streams.a_refusal_is_not_remembered",
    "streams.a_stranger_on_a_seat_is_told_what_a_watcher_was",
    "streams.a_watcher_sees_what_happens_from_the_next_number_on",
    "streams.everybody_sees_the_same_events_under_the_same_numbers",
    "streams.what_is_no_longer_kept_is_said_to_be_gone",
    "turns.a_client_of_defaults_plays_any_game",
    "turns.a_listed_move_is_accepted_and_others_are_refused",
    "turns.a_question_says_what_is_to_beat_and_what_is_held",
    "turns.equal_rules_have_equal_hashes",
    "turns.every_game_of_the_server_is_played_without_knowing_it",
    "turns.plays_show_whole_cards_highest_first",
    "turns.somebody_elses_move_is_not_theirs_to_make",
    "turns.the_events_of_a_game_come_in_their_order",
    "turns.turns_count_up",
    "waiting.a_silent_program_is_asked_whether_it_is_there",
    "waiting.after_the_time_of_grace_a_bot_plays",
    "waiting.when_the_time_is_up_the_default_is_played",
}
"""Checks that need a server of their own, bytes before a line, or a server that is wrong in more
than one line: no wrong server is kept for them yet."""


def test_every_check_has_a_fault_that_it_must_find() -> None:
    assert checks().keys() == {*FAULTS, *with_own_fault(), *WITHOUT}
    assert not (FAULTS.keys() | with_own_fault()) & WITHOUT


@pytest.mark.parametrize("name", FAULTS)
def test_a_check_finds_its_fault(address: Address, name: str) -> None:
    wanted, fault = FAULTS[name]
    case = next(case for case in checks()[name] if case.name == wanted)
    assert finds(case, address, fault)
