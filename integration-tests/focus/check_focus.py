"""Runs the FinOps Foundation's validator over an export, by the rules of FOCUS 1.2 that come with it.

Exit code 1 names every rule that the file breaks. Nothing is fetched: the rules are in the package.
Usage: check_focus.py FILE.csv
"""

import subprocess
import sys
from pathlib import Path


def broken(report: str) -> list[str]:
    """The lines of the report that name a broken rule."""
    lines = report.splitlines()
    if "--- Failures ---" not in lines:
        return []
    return [line for line in lines[lines.index("--- Failures ---") + 1 :] if line.strip()]


def main(file: str) -> int:
    validator = Path(sys.executable).with_name("focus-validator")
    ran = subprocess.run(
        [
            str(validator),
            "--data-file", file,
            "--validate-version", "1.2",
            "--block-download",
            "--show-violations",
        ],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    totals = [line for line in ran.stdout.splitlines() if line.startswith("Total: ")]
    if ran.returncode != 0 or not totals:
        print(f"focus-validator ended with {ran.returncode} and without a result.", file=sys.stderr)
        return 1
    print(totals[0])
    faults = broken(ran.stdout)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
