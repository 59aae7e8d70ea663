"""Names for a prompt on the lake: catalog, table, rows and files. `make lake-shell` starts it on the running stack.

Usage: python -i lake_shell.py, or lake_shell.py PAGE ORGANIZATION METRIC, which runs the Python of a page with these two names.
Environment: as read_tables.py.
"""

import re
import sys

from pyiceberg.expressions import And, EqualTo, In

from read_tables import open_catalog

catalog = open_catalog()


def table(name):
    """A table of the namespace."""
    return catalog.load_table(("telemetry", name))


def scan(name, organization, metrics):
    named = EqualTo("organization_id", organization)
    return table(name).scan(row_filter=And(named, In("metric", metrics)) if metrics else named)


def rows(name, organization, *metrics):
    """Rows of an organisation, of some metrics or all, as an Arrow table."""
    return scan(name, organization, metrics).to_arrow()


def files(name, organization, *metrics):
    """Paths of the files that hold these rows."""
    return [task.file.file_path for task in scan(name, organization, metrics).plan_files()]


def run_page(page, organization, metric):
    with open(page, encoding="utf-8") as text:
        blocks = re.findall(r"^```python\n(.*?)^```$", text.read(), re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit(f"{page} holds no Python.")
    for block in blocks:
        exec(block, {**globals(), "organization": organization, "metric": metric})


if __name__ == "__main__" and len(sys.argv) == 4:
    run_page(*sys.argv[1:])
elif __name__ == "__main__":
    print("catalog, table(name), rows(name, organization, *metrics), files(name, organization, *metrics); tables:")
    print(", ".join(name for _, name in sorted(catalog.list_tables("telemetry"))))
