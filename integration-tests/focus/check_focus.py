"""Runs the FinOps Foundation's validator over an export, by the rules of FOCUS 1.2 that come with it.

Exit code 1 names every rule that the file breaks. Nothing is fetched: the rules are in the package.
Usage: check_focus.py FILE.csv
"""

import subprocess
import sys
import sysconfig
from pathlib import Path


# Rules whose condition the validator's model does not hold, so that it applies them to every row.
UNDECIDED = {
    "InvoiceId-C-004-C": "is of charges without an invoice; every row of the export has one, as InvoiceId-C-005-C wants",
    "EffectiveCost-C-005-C": "is of purchases that cover future charges; the fee and the minimum of a month cover that month",
}


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
            "--data-file", str(Path(file).resolve()),
            "--validate-version", "1.2",
            "--block-download",
            "--show-violations",
        ],
        # It looks for its list of currencies below the folder it is started in.
        cwd=sysconfig.get_path("purelib"),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    totals = [line for line in ran.stdout.splitlines() if line.startswith("Total: ")]
    if ran.returncode != 0 or not totals:
        print(f"focus-validator ended with {ran.returncode} and without a result.", file=sys.stderr)
        return 1
    print(totals[0])
    rules = [line[2:].split(":")[0] for line in broken(ran.stdout) if line.startswith("- ")]
    faults = [rule for rule in rules if rule not in UNDECIDED]
    for rule in rules:
        print(f"{rule} {UNDECIDED[rule]}." if rule in UNDECIDED else f"{rule} is broken.")
    if faults:
        print("\n".join(broken(ran.stdout)))
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
