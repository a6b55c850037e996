"""What a server counts of itself."""

from __future__ import annotations

from tests.kit.cases import together
from twentytwo_server.metrics import LATENCIES, Histogram

BOUNDS = (1.0, 2.0, 5.0)


@together(
    ("value", "counts"),
    [
        (0.0, [1, 1, 1, 1]),
        (1.0, [1, 1, 1, 1]),  # a bound is counted by itself: le means less or equal
        (1.5, [0, 1, 1, 1]),
        (2.0, [0, 1, 1, 1]),
        (5.0, [0, 0, 1, 1]),
        (5.1, [0, 0, 0, 1]),
    ],
)
def test_a_value_is_counted_by_every_bound_that_it_does_not_exceed(
    value: float, counts: list[int]
) -> None:
    histogram = Histogram(BOUNDS)
    histogram.observe(value)
    assert histogram.buckets() == [*zip((*BOUNDS, float("inf")), counts, strict=True)]
    assert (histogram.count, histogram.sum) == (1, value)


def test_the_bounds_of_latencies_ascend() -> None:
    assert list(LATENCIES) == sorted(set(LATENCIES))
