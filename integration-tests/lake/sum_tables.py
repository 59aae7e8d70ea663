"""Adds up the lake's tables by metric with PyIceberg and prints one JSON object.

Usage: sum_tables.py ORGANIZATION METRIC [METRIC ...]
Environment: as read_tables.py. Reads files one after the other: tables may be larger than memory.
"""

import json
import sys
from collections import defaultdict

import pyarrow as pa
import pyarrow.compute as pc
from pyiceberg.expressions import And, EqualTo, In

from read_tables import open_catalog

ROLLUPS = ["rollup_1m", "rollup_1h", "rollup_1d"]


def totals(catalog, name, value, count, organization, metrics):
    table = catalog.load_table(("telemetry", name))
    columns = ["metric", value] + ([count] if count else [])
    scan = table.scan(
        row_filter=And(EqualTo("organization_id", organization), In("metric", metrics)),
        selected_fields=tuple(columns),
    )
    found = defaultdict(lambda: {"rows": 0, "count": 0, "sum": 0.0})
    for batch in scan.to_arrow_batch_reader():
        part = pa.Table.from_batches([batch])
        for metric in pc.unique(part["metric"]).to_pylist():
            rows = part.filter(pc.equal(part["metric"], metric))
            total = found[metric]
            total["rows"] += rows.num_rows
            total["count"] += (pc.sum(rows[count]).as_py() or 0) if count else rows.num_rows
            total["sum"] += pc.sum(rows[value]).as_py() or 0.0
    return found


def main():
    organization, metrics = sys.argv[1], sys.argv[2:]
    catalog = open_catalog()
    found = {"raw_points": totals(catalog, "raw_points", "value", None, organization, metrics)}
    for name in ROLLUPS:
        found[name] = totals(catalog, name, "sum", "count", organization, metrics)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
