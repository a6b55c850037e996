"""`python -m twentytwo_conform.client_suite COMMAND`: the report, and status 0 or 5."""

import shlex
import sys

from . import run

report = run(shlex.join(sys.argv[1:]) if len(sys.argv) > 2 else sys.argv[1])
print(report)
sys.exit(0 if report.ok else 5)
