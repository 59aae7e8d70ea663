package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The replay command of {@code flink-jobs}, with this stack's addresses. It runs Flink inside its
 * own process, reads the lake and Druid, and writes below {@code replays} in the stack's folder.
 */
public final class Replay {
  private static final int HEAP_MIB = 1024;

  private Replay() {}

  /**
   * @param version names the folder of its rows
   */
  public static ProcessBuilder command(
      StackSettings settings,
      StackIdentity identity,
      String tenant,
      String from,
      String to,
      String version) {
    Path jar = settings.root().resolve("flink-jobs/replay-job/target/replay-job.jar");
    if (!Files.exists(jar)) {
      throw new StackFailure("The replay job is not built yet. Run `make build`.");
    }
    JavaCommand java = JavaCommand.of(settings, "replay", HEAP_MIB).folder(jar).engine("flink");
    Flink.MODULE_OPTIONS.forEach(java::option);
    java.property("log4j.configurationFile", "classpath:log4j2-replay.xml");
    Security security = new Security(settings, identity);
    ProcessBuilder builder =
        new ProcessBuilder(
            java.run(
                "io.tidemark.flink.replay.ReplayJob",
                List.of(
                    "--catalog.uri",
                    Engines.catalogUrl(settings, identity),
                    "--catalog.user",
                    Engines.catalogUser(),
                    "--warehouse",
                    settings.dataUri("iceberg", "warehouse"),
                    "--kafka.bootstrap.servers",
                    settings.ports().address("kafka"),
                    "--routes.topic",
                    "pipeline.routes.v1",
                    "--druid",
                    security.url("druid-broker"),
                    "--tenant",
                    tenant,
                    "--from",
                    from,
                    "--to",
                    to,
                    "--target",
                    settings.home().resolve("replays").toString(),
                    "--version",
                    version)));
    builder.environment().putAll(java.environment());
    builder.environment().putAll(security.replayEnvironment());
    builder.environment().putAll(Engines.objectStore(settings, identity));
    builder
        .environment()
        .put("TIDEMARK_CATALOG_PASSWORD", identity.get("TIDEMARK_CATALOG_PASSWORD"));
    return builder;
  }
}
