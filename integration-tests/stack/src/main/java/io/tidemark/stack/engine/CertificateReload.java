package io.tidemark.stack.engine;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessTable;
import io.tidemark.stack.process.RunningProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Has engines read their certificates again that are newer than their process. Kafka and PostgreSQL
 * have to be told; Druid and platform-api look by themselves, and Flink is started again.
 */
public final class CertificateReload {
  private final StackSettings settings;
  private final Security security;
  private final ProcessTable processes;

  public CertificateReload(StackSettings settings, StackIdentity identity, ProcessTable processes) {
    this.settings = settings;
    this.security = new Security(settings, identity);
    this.processes = processes;
  }

  /** Does nothing on a stack whose engines take everybody. */
  public void tell() throws IOException, InterruptedException {
    if (!security.isOn()) {
      return;
    }
    if (isOlder("postgres")) {
      processes.signal("postgres", "HUP");
    }
    if (isOlder("kafka")) {
      reloadKafka();
    }
  }

  /** Whether the component started before its certificate was made. */
  private boolean isOlder(String component) throws IOException {
    Optional<Instant> since = processes.find(component).flatMap(RunningProcess::since);
    Instant made =
        Files.getLastModifiedTime(security.certificates().certificate(component)).toInstant();
    return since.isPresent() && since.get().isBefore(made);
  }

  /** A broker that is told where its store is looks whether the file has changed. */
  private void reloadKafka() throws InterruptedException {
    List<AlterConfigOp> told =
        Stream.concat(Kafka.listeners(settings).stream(), Stream.of("CONTROLLER"))
            .map(listener -> listener.toLowerCase(Locale.ROOT))
            .map(
                listener ->
                    new AlterConfigOp(
                        new ConfigEntry(
                            "listener.name." + listener + ".ssl.keystore.location",
                            security.certificates().keyStore("kafka").toString()),
                        AlterConfigOp.OpType.SET))
            .toList();
    Map<String, Object> client = security.access().kafka(settings.ports().address("kafka"));
    try (Admin admin = Admin.create(client)) {
      admin
          .incrementalAlterConfigs(
              Map.of(new ConfigResource(ConfigResource.Type.BROKER, "1"), told))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new StackFailure(
          "Kafka does not read its certificate again (" + e + "); `make up` tries again.");
    }
  }
}
