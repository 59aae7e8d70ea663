/** Where senders send to, as the installation says. */
export interface Endpoints {
  otlp_http_url: string;
  otlp_grpc_address: string;
  remote_write_url: string;
  kafka_bootstrap: string;
}

/** The metric that the first snippet sends. */
export const FIRST_METRIC = "first.point";

export interface Snippet {
  id: string;
  name: string;
  language: string;
  /** What to do with it. */
  hint: string;
  text: string;
}

/** What to run, for each way in, with the key of the environment put in. */
export function snippets(endpoints: Endpoints, organization: string, environment: string, key: string): Snippet[] {
  const [id, secret] = credentialsOf(key);
  return [
    {
      id: "curl",
      name: "curl",
      language: "shell",
      hint: "Run it in a terminal. It sends one point now.",
      text: `curl -sS ${endpoints.otlp_http_url} \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"resourceMetrics":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"first-steps"}}]},
      "scopeMetrics":[{"metrics":[{"name":"${FIRST_METRIC}","unit":"1","sum":{"aggregationTemporality":1,"isMonotonic":true,
      "dataPoints":[{"asInt":"1","startTimeUnixNano":"'$(($(date +%s) - 10))'000000000","timeUnixNano":"'$(date +%s)'000000000",
      "attributes":[{"key":"sender","value":{"stringValue":"curl"}}]}]}}]}]}]}'`,
    },
    {
      id: "collector",
      name: "Collector",
      language: "yaml",
      hint: "Add the exporter to the configuration of an OpenTelemetry Collector, and to its metrics pipeline.",
      text: `exporters:
  otlphttp/tidemark:
    metrics_endpoint: ${endpoints.otlp_http_url}
    compression: zstd
    headers:
      Authorization: "Bearer ${key}"

service:
  pipelines:
    metrics:
      exporters: [otlphttp/tidemark]`,
    },
    {
      id: "prometheus",
      name: "Prometheus",
      language: "yaml",
      hint: "Add it to prometheus.yml. Prometheus goes on to scrape and store as before.",
      text: `remote_write:
  - url: ${endpoints.remote_write_url}
    protobuf_message: io.prometheus.write.v2.Request
    basic_auth:
      username: ${id}
      password: ${secret}`,
    },
    {
      id: "sdk",
      name: "Any SDK",
      language: "shell",
      hint: "Every OpenTelemetry SDK and agent (Java, Python, Go, .NET, Node.js) reads these variables.",
      text: `export OTEL_METRICS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${endpoints.otlp_http_url}
export OTEL_EXPORTER_OTLP_METRICS_HEADERS="Authorization=Bearer%20${key}"
export OTEL_SERVICE_NAME=my-service`,
    },
    {
      id: "python",
      name: "Python",
      language: "python",
      hint: "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http",
      text: `from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource

exporter = OTLPMetricExporter(
    endpoint="${endpoints.otlp_http_url}",
    headers={"Authorization": "Bearer ${key}"},
)
provider = MeterProvider(
    resource=Resource.create({"service.name": "first-steps"}),
    metric_readers=[PeriodicExportingMetricReader(exporter, export_interval_millis=10_000)],
)
counter = provider.get_meter("first-steps").create_counter("${FIRST_METRIC}")
counter.add(1, {"sender": "python"})
provider.shutdown()  # sends what is waiting`,
    },
    {
      id: "kafka",
      name: "Kafka",
      language: "yaml",
      hint: "The kafka exporter of a Collector, or any producer of OTLP protobuf, may write to the gateway as to a broker.",
      text: `exporters:
  kafka/tidemark:
    brokers: ["${endpoints.kafka_bootstrap}"]
    metrics:
      topic: otlp.metrics.${organization}.${environment}
      encoding: otlp_proto
    auth:
      sasl:
        mechanism: PLAIN
        username: ${id}
        password: ${secret}`,
    },
  ];
}

/** The two parts of a key text, tdm_<environment>_<id>_<secret>. */
export function credentialsOf(key: string): [string, string] {
  const parts = key.split("_");
  return parts.length < 4 ? ["YOUR_KEY_ID", "YOUR_KEY_SECRET"] : [parts[parts.length - 2] ?? "", parts[parts.length - 1] ?? ""];
}
