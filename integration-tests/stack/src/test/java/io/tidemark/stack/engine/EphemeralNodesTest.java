package io.tidemark.stack.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a ZooKeeper of its own, as a killed process leaves it: its session goes on. */
class EphemeralNodesTest {
  private static final int SESSION_MS = 60_000;

  @TempDir Path folder;

  private NIOServerCnxnFactory server;
  private ZooKeeper killed;
  private EphemeralNodes nodes;

  @BeforeEach
  void start() throws Exception {
    server = new NIOServerCnxnFactory();
    server.configure(new InetSocketAddress("127.0.0.1", 0), 10);
    server.startup(new ZooKeeperServer(folder.toFile(), folder.toFile(), 500));
    killed = new ZooKeeper("127.0.0.1:" + server.getLocalPort(), SESSION_MS, event -> {});
    nodes = new EphemeralNodes(server.getLocalPort());
  }

  @AfterEach
  void stop() throws Exception {
    killed.close();
    server.shutdown();
  }

  @Test
  void whatTheJobManagerLedIsFreeAndItsJobsStay() throws Exception {
    make("/flink", "", CreateMode.PERSISTENT);
    make("/flink/tidemark", "", CreateMode.PERSISTENT);
    make("/flink/tidemark/jobs", "graph", CreateMode.PERSISTENT);
    make("/flink/tidemark/latch", "", CreateMode.PERSISTENT);
    make("/flink/tidemark/latch/first", "job manager", CreateMode.EPHEMERAL);
    make("/druid", "", CreateMode.PERSISTENT);
    make("/druid/127.0.0.1:23910", "", CreateMode.EPHEMERAL);

    nodes.removeOfFlink();

    assertThat(killed.getChildren("/flink/tidemark/latch", false)).isEmpty();
    assertThat(killed.exists("/flink/tidemark/jobs", false)).isNotNull();
    assertThat(killed.exists("/druid/127.0.0.1:23910", false)).isNotNull();
  }

  @Test
  void onlyWhatSaysTheAddressOfTheDruidProcessGoes() throws Exception {
    make("/druid", "", CreateMode.PERSISTENT);
    make("/druid/latch", "", CreateMode.PERSISTENT);
    make("/druid/latch/first", "http://127.0.0.1:2391", CreateMode.EPHEMERAL);
    make("/druid/latch/second", "http://127.0.0.1:23910", CreateMode.EPHEMERAL);
    make("/druid/127.0.0.1:2391", "", CreateMode.EPHEMERAL);
    make("/druid/127.0.0.1:23912", "", CreateMode.EPHEMERAL);

    nodes.removeOfDruid(2391);

    assertThat(killed.getChildren("/druid/latch", false)).containsExactly("second");
    assertThat(killed.getChildren("/druid", false))
        .containsExactlyInAnyOrder("latch", "127.0.0.1:23912");
  }

  @Test
  void aFirstStartHasNothingToRemove() throws Exception {
    nodes.removeOfFlink();
    nodes.removeOfDruid(2391);

    assertThat(killed.getChildren("/", false)).containsExactly("zookeeper");
  }

  private void make(String path, String text, CreateMode mode) throws Exception {
    killed.create(path, text.getBytes(StandardCharsets.UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
  }
}
