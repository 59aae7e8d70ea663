package io.tidemark.stack.engine;

import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** ZooKeeper, from the jars that come with Druid. */
final class ZooKeeper {
  /**
   * How often empty containers are removed: never, as far as anybody waits. A JobManager whose
   * session ends looks for others in the container of its election, and never leads again where
   * that is gone (CURATOR-724, in the Curator that Flink brings).
   */
  private static final int CONTAINER_CHECK_MILLIS = Integer.MAX_VALUE;

  private final StackSettings settings;

  ZooKeeper(StackSettings settings) {
    this.settings = settings;
  }

  ProcessSpec spec() {
    Path config = settings.data("zookeeper").resolve("zoo.cfg");
    JavaCommand java =
        JavaCommand.of(settings, "zookeeper", 128)
            .option("-XX:TieredStopAtLevel=1")
            .property("znode.container.checkIntervalMs", CONTAINER_CHECK_MILLIS)
            .engine("druid")
            .archived("druid");
    return new ProcessSpec(
        "zookeeper",
        java.run("org.apache.zookeeper.server.quorum.QuorumPeerMain", List.of(config.toString())),
        java.environment(),
        List.of(settings.infra("zookeeper/zoo.cfg")),
        List.of(),
        Map.of("zookeeper", settings.ports().of("zookeeper")),
        java.prepared(() -> prepare(config)),
        this::isReady,
        () -> {},
        Duration.ofSeconds(60),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(15)));
  }

  private void prepare(Path config) throws IOException {
    Path data = settings.data("zookeeper");
    Folders.create(data.resolve("tmp"), data.resolve("snapshots"));
    Properties here = new Properties();
    here.setProperty("dataDir", data.resolve("snapshots").toString());
    here.setProperty("clientPort", Integer.toString(settings.ports().of("zookeeper")));
    here.setProperty("clientPortAddress", "127.0.0.1");
    Folders.writeProperties(settings.infra("zookeeper/zoo.cfg"), here, config);
  }

  private boolean isReady() throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", settings.ports().of("zookeeper")), 1000);
      socket.setSoTimeout(2000);
      socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
          .equals("imok");
    }
  }
}
