"""Where players sit: nobody's cards lie on those of somebody else."""

from __future__ import annotations

import pytest

from twentytwo_client.tui.places import Edge, places


@pytest.mark.parametrize("width", [50, 62, 80, 120])
@pytest.mark.parametrize("played", [[11, 11, 11], [23, 5, 17], [0, 41, 0], [5] * 7, [17] * 5])
def test_cards_at_the_left_and_at_the_right_do_not_meet(played: list[int], width: int) -> None:
    found = places(played, width, 24, 3, 3)
    if found is None:
        assert sum(played) > 11 * 3 or width < 62  # then they are listed, or smaller
        return
    for at, left in enumerate(found):
        for right, wide in zip(found[at + 1 :], played[at + 1 :], strict=True):
            if (left.edge, right.edge) == (Edge.LEFT, Edge.RIGHT):
                assert left.x + left.width + played[at] < right.x - 1 - wide
            if (left.edge, right.edge) == (Edge.TOP, Edge.TOP):
                middles = [each.x + each.width / 2 for each in (left, right)]
                assert middles[1] - middles[0] > (played[at] + wide) / 2
