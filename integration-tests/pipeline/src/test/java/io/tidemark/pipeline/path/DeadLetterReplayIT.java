package io.tidemark.pipeline.path;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.tidemark.pipeline.support.Await;
import io.tidemark.pipeline.support.DruidRows;
import io.tidemark.pipeline.support.OtlpSender;
import io.tidemark.pipeline.support.OtlpSender.Point;
import io.tidemark.pipeline.support.RunningStack;
import io.tidemark.stack.JsonHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What was refused counts once after a fix, however often and however roughly it is replayed. */
@ExtendWith(RunningStack.class)
@Order(5)
class DeadLetterReplayIT {
  private static final Duration PATIENCE = Duration.ofSeconds(240);
  private static final String TENANT = "org-late";
  private static final String ENVIRONMENT = "env-late";
  private static final String METRIC = "late.requests";
  private static final String POINTS = "telemetry.points.v1";
  private static final String LETTERS = "telemetry.dead-letters.v1";
  private static final String NOTES = "pipeline.replays.v1";

  /** More than the command writes in a transaction, so that a kill leaves some of them. */
  private static final int BATCHES = 1_000;

  // Field numbers of deadletter/v1/dead_letter.proto and control/v1/tenant.proto.
  private static final int REASON = 1;
  private static final int ORGANIZATION = 3;
  private static final int SOURCE_PARTITION = 7;
  private static final int SOURCE_OFFSET = 8;
  private static final int ORIGINAL = 10;
  private static final int POINT_COUNT = 12;
  private static final int POINT_INDEXES = 14;
  private static final long TOO_LATE = 15;
  private static final int ACTIVE = 1;

  private final RunningStack.Started stack = RunningStack.get();
  private final Instant day = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(40, ChronoUnit.DAYS);

  @Test
  void deadLettersCountOnceAfterAFix() throws Exception {
    OtlpSender sender =
        new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), stack.authorization(TENANT));
    byte[] mixed =
        OtlpSender.batch("late", List.of(point(Instant.now(), 5), point(day, 1))).toByteArray();
    assertThat(sender.send(mixed).statusCode()).isEqualTo(200);
    UnknownFieldSet letter =
        Await.until("the letter", PATIENCE, this::letters, found -> found.size() == 1).get(0);
    assertThat(number(letter, REASON)).isEqualTo(TOO_LATE);
    assertThat(number(letter, POINT_COUNT)).isEqualTo(1);
    assertThat(letter.getField(POINT_INDEXES).getLengthDelimitedList().get(0).toByteArray())
        .as("of the two points the second")
        .containsExactly(1);
    assertThat(bytes(letter, ORIGINAL)).isEqualTo(mixed);
    assertThat(valueAt((int) number(letter, SOURCE_PARTITION), number(letter, SOURCE_OFFSET)))
        .isEqualTo(mixed);
    sendWithoutGateway();
    Await.until(
        "letters of all batches", PATIENCE, () -> letters().size(), found -> found == BATCHES + 1);

    keepForYears();
    replayUntilKilled();
    double expected = 1 + BATCHES * (BATCHES + 1) / 2.0;
    DruidRows druid = new DruidRows(stack.coordinates().get("TIDEMARK_DRUID"));
    // A letter that is replayed before the job has heard of the fix comes back as another letter.
    Await.until(
        "every point counts once",
        PATIENCE,
        () -> {
          assertThat(replay()).contains("TOO_LATE");
          return druid.figures("rollup_1d", "day", METRIC, "", day, day.plus(1, ChronoUnit.DAYS));
        },
        rows ->
            rows.values().stream()
                .anyMatch(row -> row.count() == BATCHES + 1 && row.sum() == expected));
    long written = batches();

    String again = replay();

    assertThat(again).contains("TOO_LATE  replayed before").doesNotContain("TOO_LATE  replayed:");
    assertThat(batches()).as("nothing was written").isEqualTo(written);
  }

  /** Those who sent it count and replay over the API; the command then finds it replayed. */
  @Test
  void theApiReplaysALetterOnceAndTheCommandKnows() throws Exception {
    String authorization = stack.authorization("org-demo");
    byte[] late = OtlpSender.batch("api-replay", List.of(point(day, 7))).toByteArray();
    assertThat(
            new OtlpSender(stack.coordinates().get("TIDEMARK_OTLP_HTTP"), authorization)
                .send(late)
                .statusCode())
        .isEqualTo(200);
    Await.until("the letter", PATIENCE, () -> batchesOf(LETTERS, late), found -> found > 0);

    long notes = read(NOTES).size();
    JsonNode counted = replayed(authorization, null);
    assertThat(counted.path("state").asText()).as("%s", counted).isEqualTo("counted");
    assertThat(letters(counted, "to_replay")).as("%s", counted).isPositive();
    assertThat(read(NOTES)).as("counting writes nothing").hasSize((int) notes);
    JsonNode done = replayed(authorization, counted.path("id").asText());
    assertThat(done.path("state").asText()).as("%s", done).isEqualTo("completed");
    assertThat(letters(done, "replayed")).isEqualTo(letters(counted, "to_replay"));
    assertThat(batchesOf(POINTS, late)).as("sent and replayed").isEqualTo(2);
    // It is still too late: judged anew, it becomes a letter of another place.
    Await.until("another letter", PATIENCE, () -> batchesOf(LETTERS, late), found -> found == 2);
    assertThat(letters(replayed(authorization, null), "replayed_before")).isPositive();
    Process process = command("org-demo", "").start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(said).contains("org-demo  TOO_LATE  replayed before");
  }

  /** Counts a new replay, or executes a counted one, and waits for what comes of it. */
  private JsonNode replayed(String authorization, String counted) throws Exception {
    JsonHttp http = new JsonHttp();
    String place =
        stack.coordinates().get("TIDEMARK_URL")
            + "/api/v1/organizations/org-demo/environments/env-demo/dead-letter-replays";
    JsonHttp.Answer begun =
        http.post(
            counted == null ? place : place + "/" + counted + "/execute",
            authorization,
            JsonHttp.JSON.readTree("{\"reasons\":[\"TOO_LATE\"]}"));
    assertThat(begun.status()).as(begun.text()).isEqualTo(202);
    return Await.until(
        "the replay",
        PATIENCE,
        () -> http.get(place + "/" + begun.body().path("id").asText(), authorization).body(),
        found -> !List.of("counting", "replaying").contains(found.path("state").asText()));
  }

  /** Records of the topic that hold these bytes. */
  private long batchesOf(String topic, byte[] value) {
    return read(topic).stream().filter(record -> holds(topic, record.value(), value)).count();
  }

  private static boolean holds(String topic, byte[] record, byte[] value) {
    try {
      return Arrays.equals(
          topic.equals(POINTS) ? record : bytes(UnknownFieldSet.parseFrom(record), ORIGINAL),
          value);
    } catch (InvalidProtocolBufferException | IndexOutOfBoundsException notOurs) {
      return false;
    }
  }

  /** As the gateway would, but faster than a tenant may send. */
  private void sendWithoutGateway() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (int i = 1; i <= BATCHES; i++) {
        byte[] value = OtlpSender.batch("late", List.of(point(day, i))).toByteArray();
        byte[] id = MessageDigest.getInstance("SHA-256").digest(value);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(POINTS, id, value);
        header(record, "tidemark.organization_id", TENANT);
        header(record, "tidemark.environment_id", ENVIRONMENT);
        header(record, "tidemark.batch_id", HexFormat.of().formatHex(id));
        header(record, "tidemark.received_at_unix_ms", "" + Instant.now().toEpochMilli());
        var unused = producer.send(record);
      }
    }
  }

  /** The fix: days of this tenant are kept for 400 days. */
  private void keepForYears() throws Exception {
    ByteArrayOutputStream retention = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(retention);
    out.writeInt64(4, Duration.ofDays(400).toSeconds());
    out.flush();
    ByteArrayOutputStream tenant = new ByteArrayOutputStream();
    out = CodedOutputStream.newInstance(tenant);
    out.writeString(1, TENANT);
    out.writeString(2, ENVIRONMENT);
    out.writeEnum(3, ACTIVE);
    out.writeByteArray(5, retention.toByteArray());
    out.writeInt64(6, 1_000_000);
    out.flush();
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      producer
          .send(
              new ProducerRecord<>(
                  "control.tenants.v1",
                  (TENANT + "/" + ENVIRONMENT).getBytes(UTF_8),
                  tenant.toByteArray()))
          .get();
    }
  }

  /** Lets the command run for moments only, until it has committed some but not all of its work. */
  private void replayUntilKilled() throws Exception {
    Process process = command().start();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      while (committed(consumer, NOTES) == 0) {
        assertThat(process.isAlive()).as("the command ended before anything was noted").isTrue();
        signal("CONT", process);
        LockSupport.parkNanos(40_000_000);
        signal("STOP", process);
      }
      process.destroyForcibly().waitFor();
      assertThat(committed(consumer, NOTES)).as("killed half-way").isBetween(1L, (long) BATCHES);
    }
  }

  private static long letters(JsonNode replay, String outcome) {
    long letters = 0;
    for (JsonNode count : replay.path("counts")) {
      letters +=
          count.path("outcome").asText().equals(outcome) ? count.path("letters").asLong() : 0;
    }
    return letters;
  }

  private static void signal(String name, Process process) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private String replay() throws Exception {
    Process process = command().start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(said).isEqualTo(0);
    return said;
  }

  private ProcessBuilder command() throws IOException {
    return command(TENANT, "1");
  }

  private ProcessBuilder command(String organization, String execute) throws IOException {
    Path jar =
        stack
            .settings()
            .root()
            .resolve("flink-jobs/dead-letter-replay/target/replay-dead-letters.jar");
    assertThat(Files.exists(jar)).as("built by `make build`: %s", jar).isTrue();
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            jar.toString(),
            "--kafka.bootstrap.servers",
            stack.coordinates().get("TIDEMARK_KAFKA"),
            "--points.topic",
            POINTS,
            "--dead-letters.topic",
            LETTERS,
            "--replays.topic",
            NOTES,
            "--organization",
            organization,
            "--execute",
            execute)
        .redirectErrorStream(true);
  }

  private Point point(Instant time, long value) {
    return new Point(METRIC, Map.of("host", "h1"), time, value);
  }

  private List<UnknownFieldSet> letters() throws InvalidProtocolBufferException {
    List<UnknownFieldSet> letters = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : read(LETTERS)) {
      UnknownFieldSet letter = UnknownFieldSet.parseFrom(record.value());
      boolean isNamed = letter.hasField(ORGANIZATION);
      if (isNamed && new String(bytes(letter, ORGANIZATION), UTF_8).equals(TENANT)) {
        letters.add(letter);
      }
    }
    return letters;
  }

  private static long number(UnknownFieldSet letter, int field) {
    List<Long> values = letter.getField(field).getVarintList();
    return values.isEmpty() ? 0 : values.get(0);
  }

  private static byte[] bytes(UnknownFieldSet letter, int field) {
    return letter.getField(field).getLengthDelimitedList().get(0).toByteArray();
  }

  private byte[] valueAt(int partition, long offset) {
    return read(POINTS).stream()
        .filter(record -> record.partition() == partition && record.offset() == offset)
        .findFirst()
        .orElseThrow()
        .value();
  }

  /** Batches of the tenant in the points topic. */
  private long batches() {
    return read(POINTS).stream()
        .filter(
            record ->
                new String(record.headers().lastHeader("tidemark.organization_id").value(), UTF_8)
                    .equals(TENANT))
        .count();
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer, topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
    }
    return records;
  }

  private static long committed(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    List<TopicPartition> partitions = partitions(consumer, topic);
    return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(partition -> new TopicPartition(topic, partition.partition()))
        .toList();
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            stack.coordinates().get("TIDEMARK_KAFKA"),
            "isolation.level",
            "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", stack.coordinates().get("TIDEMARK_KAFKA"), "acks", "all"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
