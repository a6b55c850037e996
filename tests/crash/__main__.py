"""`python -m tests.crash`: `kills --kills 20000`, `points`, `power --cuts 5000`, `faults`,
`takeovers --rounds 500`, `upgrades --tables 1000 --servers 3`, `cluster --rounds 100`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    """Runs the chosen tests; returns 1 if a promise was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    what = ("kills", "points", "power", "faults", "takeovers", "upgrades", "cluster")
    parser.add_argument("what", choices=what)
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--cuts", type=int, default=300)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument(
        "--rounds", type=int, default=5, help="ends of servers, of each way; upgrades"
    )
    parser.add_argument(
        "--lease", type=float, help="seconds of the servers' lease [1; cluster: 4; upgrades: 10]"
    )
    parser.add_argument("--way", action="append", help="only these ways to end")
    parser.add_argument(
        "--restarts", type=float, default=0.2, help="probability that PostgreSQL restarts, twice"
    )
    parser.add_argument(
        "--namespaces",
        action=argparse.BooleanOptionalAction,
        help="cut in network namespaces, not by relays [if this process may]",
    )
    parser.add_argument("--tables", type=int, default=1000, help="in upgrades")
    parser.add_argument(
        "--servers", type=int, default=1, help="active ones in upgrades; with 1 another stands by"
    )
    parser.add_argument("--moves", type=int, default=120, help="at each before the first upgrade")
    parser.add_argument("--seconds", type=float, default=5.0, help="of play between upgrades")
    parser.add_argument("--all-points", action="store_true", help="every point must be hit")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args(words)
    began = time.monotonic()
    match args.what:
        case "kills":
            from tests.crash import kills

            broken = kills.run(args.kills, args.seed, args.processes, all_points=args.all_points)
        case "points":
            from tests.crash import forking, kills

            forking.prepare()
            broken = kills.every_point(args.seed)
        case "takeovers":
            from tests.crash import takeovers

            ways = args.way or takeovers.WAYS
            broken = takeovers.run(
                *(args.rounds, args.seed, args.lease or takeovers.LEASE, ways),
                restarts=args.restarts,
                namespaces=args.namespaces,
            )
        case "upgrades":
            from tests.crash import upgrades

            plan = upgrades.Plan(args.tables, args.rounds, args.moves, args.seconds, args.servers)
            broken = upgrades.run(plan, args.seed, args.lease or upgrades.LEASE)
        case "cluster":
            from tests.crash import cluster

            ways = args.way or cluster.ROUND
            lease = args.lease or cluster.LEASE
            broken = cluster.run(args.rounds, args.seed, lease, ways, namespaces=args.namespaces)
        case "faults":
            from tests.crash import faults

            broken = faults.run(args.faults, args.seed, args.processes)
        case _:
            from tests.crash import power

            broken = power.run(args.cuts, args.seed)
    print(f"seed {args.seed}, {time.monotonic() - began:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
