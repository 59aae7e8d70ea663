package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * HAProxy before several processes of platform-api: HTTP by request, gRPC and Kafka by connection.
 * Where doors are encrypted it reads nothing of what goes through, and all go by connection. It
 * asks every process whether it is ready, and sends nothing new to one that is not.
 */
final class Proxy {
  static final String ID = "proxy";

  /** How long a process that was asked to stop serves on: some looks of the proxy. */
  static final Duration DRAIN = Duration.ofSeconds(3);

  private final StackSettings settings;
  private final Security security;
  private final List<ProcessSpec> platform;

  Proxy(StackSettings settings, StackIdentity identity, List<ProcessSpec> platform) {
    this.settings = settings;
    this.security = new Security(settings, identity);
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
        security.isOn() ? List.of(base, authority()) : List.of(base),
        platform.stream().map(ProcessSpec::id).toList(),
        PlatformApi.DOORS.stream()
            .collect(Collectors.toMap(door -> door, door -> settings.ports().of(door))),
        () -> prepare(configuration),
        () -> security.http().get(security.url("platform-api") + "/readyz").ok(),
        () -> {},
        Duration.ofSeconds(30),
        // SIGUSR1 lets connections end by themselves; the whole stack has no time for that.
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  /** What a process behind it is told: how long to drain, and whose headers to read. */
  static Map<String, String> environment(StackSettings settings) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("TIDEMARK_DRAIN", DRAIN.toSeconds() + "s");
    // It writes no header into what it cannot read: whoever sends one is a client.
    if (settings.security() == StackSettings.Security.NONE) {
      environment.put("TIDEMARK_TRUSTED_PROXIES", "127.0.0.1");
    }
    return environment;
  }

  /** How it is known whether a process takes connections at a door. */
  private String look(String door, int process) {
    String port = "check port " + settings.ports().of("platform-api-" + process);
    if (!security.isOn()) {
      return port;
    }
    // A look is a handshake, which a busy process needs time for: one each second, for all doors.
    return door.equals("platform-api")
        ? port + " inter 1s check-ssl verify required ca-file " + authority()
        : "track platform-api/" + process;
  }

  private Path authority() {
    return security.certificates().authority("doors");
  }

  private void prepare(Path configuration) throws IOException {
    Folders.create(Objects.requireNonNull(configuration.getParent()));
    StringBuilder doors = new StringBuilder("# Doors and processes of this machine.\n");
    for (String door : PlatformApi.DOORS) {
      boolean isHttp =
          !security.isOn() && (door.equals("platform-api") || door.equals("otlp-http"));
      doors.append("listen ").append(door).append('\n');
      doors.append("  bind ").append(settings.ports().address(door)).append('\n');
      doors.append("  mode ").append(isHttp ? "http" : "tcp").append('\n');
      if (isHttp) {
        doors.append("  option forwardfor\n");
      }
      doors.append("  option httpchk GET /readyz\n");
      for (int process = 1; process <= platform.size(); process++) {
        doors.append(
            "  server %d %s %s\n"
                .formatted(
                    process, settings.ports().address(door + "-" + process), look(door, process)));
      }
    }
    Files.writeString(configuration, doors.toString());
  }
}
