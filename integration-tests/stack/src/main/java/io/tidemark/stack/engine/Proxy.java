package io.tidemark.stack.engine;

import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * HAProxy before several processes of platform-api: HTTP by request, gRPC and Kafka by connection.
 * It asks every process whether it is ready, and sends nothing new to one that is not.
 */
final class Proxy {
  static final String ID = "proxy";

  /** How long a process that was asked to stop serves on: some looks of the proxy. */
  static final Duration DRAIN = Duration.ofSeconds(3);

  private final StackSettings settings;
  private final List<ProcessSpec> platform;
  private final JsonHttp http = new JsonHttp();

  Proxy(StackSettings settings, List<ProcessSpec> platform) {
    this.settings = settings;
    this.platform = platform;
  }

  ProcessSpec spec() {
    Path program = settings.tool("haproxy").resolve("usr/sbin/haproxy");
    if (!Files.isExecutable(program)) {
      throw new StackFailure(
          "The proxy is not there yet. Run `make proxy`, or unset TIDEMARK_PLATFORM_PROCESSES.");
    }
    Path base = settings.infra("proxy/haproxy.cfg");
    Path configuration = settings.data(ID).resolve("haproxy.cfg");
    return new ProcessSpec(
        ID,
        List.of(program.toString(), "-db", "-f", base.toString(), "-f", configuration.toString()),
        Map.of(
            "LD_LIBRARY_PATH",
            settings.tool("haproxy").resolve("usr/lib/x86_64-linux-gnu").toString()),
        List.of(base),
        platform.stream().map(ProcessSpec::id).toList(),
        PlatformApi.DOORS.stream()
            .collect(Collectors.toMap(door -> door, door -> settings.ports().of(door))),
        () -> prepare(configuration),
        () -> http.get("http://" + settings.ports().address("platform-api") + "/readyz").ok(),
        () -> {},
        Duration.ofSeconds(30),
        // SIGUSR1 lets connections end by themselves; the whole stack has no time for that.
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  /** What a process behind it is told: whose headers to read, and what clients connect to. */
  static Map<String, String> environment(StackSettings settings) {
    String http = "http://localhost:" + settings.ports().of("otlp-http");
    return Map.of(
        "TIDEMARK_TRUSTED_PROXIES", "127.0.0.1",
        "TIDEMARK_DRAIN", DRAIN.toSeconds() + "s",
        "TIDEMARK_PUBLIC_OTLP_HTTP_URL", http + "/v1/metrics",
        "TIDEMARK_PUBLIC_REMOTE_WRITE_URL", http + "/api/v1/write",
        "TIDEMARK_PUBLIC_OTLP_GRPC_ADDRESS", "localhost:" + settings.ports().of("otlp-grpc"),
        "TIDEMARK_PUBLIC_KAFKA_BOOTSTRAP", "localhost:" + settings.ports().of("kafka-door"));
  }

  private void prepare(Path configuration) throws IOException {
    Folders.create(Objects.requireNonNull(configuration.getParent()));
    StringBuilder doors = new StringBuilder("# Doors and processes of this machine.\n");
    for (String door : PlatformApi.DOORS) {
      boolean isHttp = door.equals("platform-api") || door.equals("otlp-http");
      doors.append("listen ").append(door).append('\n');
      doors.append("  bind ").append(settings.ports().address(door)).append('\n');
      doors.append("  mode ").append(isHttp ? "http" : "tcp").append('\n');
      if (isHttp) {
        doors.append("  option forwardfor\n");
      }
      doors.append("  option httpchk GET /readyz\n");
      for (int process = 1; process <= platform.size(); process++) {
        doors.append(
            "  server %d %s check port %d\n"
                .formatted(
                    process,
                    settings.ports().address(door + "-" + process),
                    settings.ports().of("platform-api-" + process)));
      }
    }
    Files.writeString(configuration, doors.toString());
  }
}
