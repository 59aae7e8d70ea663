"""Reads the lake's tables with PyIceberg and prints what it found as one JSON object.

Usage: read_tables.py ORGANIZATION METRIC [METRIC ...]
Environment: TIDEMARK_ICEBERG_CATALOG (postgresql://host:port/database), TIDEMARK_ICEBERG_WAREHOUSE,
TIDEMARK_CATALOG_USER, TIDEMARK_CATALOG_PASSWORD; for a warehouse in an object store TIDEMARK_S3_ENDPOINT and
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.
"""

import json
import os
import sys
from urllib.parse import quote, urlsplit

import pyarrow.compute as pc
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.expressions import And, EqualTo, In

LEVELS = ["rollup_1m", "rollup_1m_hc", "rollup_1h", "rollup_1d"]


def open_catalog():
    address = urlsplit(os.environ["TIDEMARK_ICEBERG_CATALOG"])
    user = quote(os.environ["TIDEMARK_CATALOG_USER"])
    password = quote(os.environ["TIDEMARK_CATALOG_PASSWORD"])
    endpoint = os.environ.get("TIDEMARK_S3_ENDPOINT", "")
    store = {"s3.endpoint": endpoint, "s3.region": "us-east-1"} if endpoint else {}
    return SqlCatalog(
        "tidemark",
        uri=f"postgresql+psycopg2://{user}:{password}@{address.netloc}{address.path}",
        warehouse=os.environ["TIDEMARK_ICEBERG_WAREHOUSE"],
        init_catalog_tables="false",
        **store,
    )


def rows_of(catalog, name, organization, metrics):
    table = catalog.load_table(("telemetry", name))
    scan = table.scan(row_filter=And(EqualTo("organization_id", organization), In("metric", metrics)))
    return table, scan.to_arrow()


def raw_points(catalog, organization, metrics):
    table, rows = rows_of(catalog, "raw_points", organization, metrics)
    places = set(
        zip(
            rows["source_partition"].to_pylist(),
            rows["source_offset"].to_pylist(),
            rows["point_index"].to_pylist(),
        )
    )
    labels = [dict(entry) for entry in rows["point_attributes"].to_pylist()]
    return {
        "rows": rows.num_rows,
        "sum": pc.sum(rows["value"]).as_py() or 0.0,
        "places": len(places),
        "hosts": sorted({label.get("host", "") for label in labels}),
        "temporalities": sorted(set(rows["temporality"].to_pylist())),
        "ints": pc.sum(pc.cast(rows["is_int"], "int64")).as_py() or 0,
        "files": len(table.inspect.files()),
    }


def rollup(catalog, level, organization, metrics):
    table, rows = rows_of(catalog, level, organization, metrics)
    return {
        "rows": rows.num_rows,
        "sum": pc.sum(rows["sum"]).as_py() or 0.0,
        "count": pc.sum(rows["count"]).as_py() or 0,
        "min": pc.min(rows["min"]).as_py(),
        "max": pc.max(rows["max"]).as_py(),
        "panes": len(set(rows["pane_id"].to_pylist())),
        "files": len(table.inspect.files()),
    }


def main():
    organization, metrics = sys.argv[1], sys.argv[2:]
    catalog = open_catalog()
    found = {"raw_points": raw_points(catalog, organization, metrics)}
    for level in LEVELS:
        found[level] = rollup(catalog, level, organization, metrics)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
