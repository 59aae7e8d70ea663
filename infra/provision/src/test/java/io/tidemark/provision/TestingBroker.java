package io.tidemark.provision;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker in this process that is gone after the test. */
final class TestingBroker implements AutoCloseable {
  private final KafkaRaftServer server;
  private final String address;

  /**
   * @param folder empty
   */
  TestingBroker(Path folder) throws IOException {
    this(folder, Map.of());
  }

  /**
   * @param more settings of the broker
   */
  TestingBroker(Path folder, Map<String, String> more) throws IOException {
    address = "127.0.0.1:" + freePort();
    String controller = "127.0.0.1:" + freePort();
    String listeners = "BROKER://" + address + ",CONTROLLER://" + controller;
    Properties settings = new Properties();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "BROKER");
    settings.put("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,BROKER:PLAINTEXT");
    settings.put("listeners", listeners);
    settings.put("advertised.listeners", listeners);
    settings.put("controller.quorum.bootstrap.servers", controller);
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("log.dirs", folder.resolve("log").toString());
    settings.put("replica.fetch.max.bytes", "20971520");
    settings.putAll(more);
    Path file = folder.resolve("server.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    StorageTool.execute(
        new String[] {
          "format", "--standalone", "-t", Uuid.randomUuid().toString(), "-c", file.toString()
        },
        new PrintStream(OutputStream.nullOutputStream()));
    server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
    server.startup();
  }

  String address() {
    return address;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
