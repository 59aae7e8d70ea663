"""Counts with OpenTelemetry's SDK and sends by OTLP/HTTP and OTLP/gRPC.

Each line of the input is a number that is added to both counters, which are then sent; the answer is a line that says of
each whether it was taken: "http=SUCCESS grpc=FAILURE". Ends with its input. Usage: send_counters.py HTTP_METRIC GRPC_METRIC
"""

import math
import os
import sys

from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter as OverGrpc
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter as OverHttp
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource


def remembering(exporter):
    """The exporter, which keeps what became of the last attempt."""

    class Remembering(exporter):
        last = None

        def export(self, *arguments, **named):
            self.last = super().export(*arguments, **named)
            return self.last

    return Remembering


def counting(exporter, metric):
    reader = PeriodicExportingMetricReader(exporter, export_interval_millis=math.inf)
    provider = MeterProvider(
        [reader], resource=Resource.create({"service.name": "python"}), shutdown_on_exit=False
    )
    return provider, provider.get_meter("clients").create_counter(metric)


bearer = "Bearer " + os.environ["TIDEMARK_KEY"]
exporters = {
    "http": remembering(OverHttp)(
        endpoint=os.environ["TIDEMARK_OTLP_HTTP"] + "/v1/metrics", headers={"Authorization": bearer}
    ),
    "grpc": remembering(OverGrpc)(
        endpoint=os.environ["TIDEMARK_OTLP_GRPC"], insecure=True, headers=(("authorization", bearer),)
    ),
}
counters = {
    name: counting(exporter, metric) for (name, exporter), metric in zip(exporters.items(), sys.argv[1:], strict=True)
}
for line in sys.stdin:
    for provider, counter in counters.values():
        counter.add(int(line))
        provider.force_flush()
    print(" ".join(f"{name}={exporter.last.name}" for name, exporter in exporters.items()), flush=True)
