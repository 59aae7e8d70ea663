package io.tidemark.platform.ingest;

import static io.tidemark.platform.testing.TestingMetrics.counter;
import static io.tidemark.platform.testing.TestingMetrics.point;
import static io.tidemark.platform.testing.TestingMetrics.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.ingest.domain.InFlightByteLimiter;
import io.tidemark.platform.shared.TenantId;
import io.tidemark.platform.testing.HostileBodies;
import io.tidemark.platform.testing.HostileCorpus;
import io.tidemark.platform.testing.Http;
import io.tidemark.platform.testing.Mutations;
import io.tidemark.platform.testing.RunningPlatform;
import io.tidemark.platform.testing.TestingKeys;
import io.tidemark.platform.testing.TestingRemoteWrite;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hostile senders on every path at once: no answer is a server error, all memory is given back, and
 * a clean tenant beside them notices nothing. Some seconds; {@code make test-fuzz} takes minutes.
 */
@ExtendWith(RunningPlatform.Extension.class)
class HostileBodiesIT {

  private static final long SECONDS = Long.getLong("fuzz.seconds", 4);
  private static final long SEED = Long.getLong("fuzz.seed", 20261121);
  private static final String PROTOBUF = "application/x-protobuf";
  private static final String HOSTILE = TestingKeys.bearer(RunningPlatform.EXTRA_KEY);
  private static final String CLEAN = TestingKeys.bearer(RunningPlatform.DEMO_KEY);

  private final RunningPlatform platform;
  private final Instant now;

  HostileBodiesIT(RunningPlatform platform) {
    this.platform = platform;
    this.now = platform.bean(Clock.class).instant();
  }

  /** One way in, with what is sent there. */
  private record Door(String path, String type, String encoding, List<byte[]> seeds) {}

  private List<Door> doors() {
    return List.of(
        new Door("/v1/metrics", PROTOBUF, "identity", HostileBodies.otlp(now)),
        new Door("/v1/metrics", "application/json", "identity", HostileBodies.otlpJson(now)),
        new Door("/v1/metrics", PROTOBUF, "gzip", gzip(HostileBodies.otlp(now))),
        new Door("/api/v1/write", PROTOBUF, "snappy", snappy(HostileBodies.remoteWrite1(now))),
        new Door(
            "/api/v1/write",
            PROTOBUF + ";proto=io.prometheus.write.v2.Request",
            "snappy",
            snappy(HostileBodies.remoteWrite2(now))));
  }

  @Test
  void noBodyIsAServerErrorAndACleanTenantNoticesNothing() {
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    Map<Integer, Integer> answers = new ConcurrentHashMap<>();
    List<CompletableFuture<Void>> hostile = new ArrayList<>();
    List<Door> doors = doors();
    for (int sender = 0; sender < doors.size(); sender++) {
      int first = sender;
      hostile.add(
          CompletableFuture.runAsync(() -> attack(doors.get(first), SEED + first, end, answers)));
    }
    int clean = 0;
    while (System.nanoTime() < end) {
      byte[] batch = request(counter("orders", point(now, clean++))).toByteArray();
      assertThat(
              Http.post(
                      platform.otlp("/v1/metrics"),
                      batch,
                      "Content-Type",
                      PROTOBUF,
                      "Authorization",
                      CLEAN)
                  .statusCode())
          .isEqualTo(200);
    }
    hostile.forEach(CompletableFuture::join);
    TenantId tenant = new TenantId("org-demo");
    assertThat(
            platform.topic().batches().stream()
                .filter(batch -> batch.organization().equals(tenant)))
        .hasSize(clean);
    platform.topic().reset();
    assertThat(answers.keySet()).isSubsetOf(200, 204, 400, 413, 415);
    assertThat(answers).containsKey(400);
    assertThat(platform.bean(InFlightByteLimiter.class).held()).isZero();
    System.out.println(
        "Hostile bodies: " + new TreeMap<>(answers) + ", clean batches beside: " + clean);
  }

  /** One after the other, so that each answer is that of its body. */
  @Test
  void everyBodyOfTheCorpusIsAnsweredForWhatItIs() {
    List<String> wrong = new ArrayList<>();
    for (HostileCorpus.Body body : HostileCorpus.at(now)) {
      HttpResponse<byte[]> answer =
          Http.post(
              platform.otlp(body.path()),
              body.content(),
              "Content-Type",
              body.type(),
              "Content-Encoding",
              body.encoding(),
              "Authorization",
              HOSTILE);
      if (!body.right().contains(answer.statusCode())) {
        wrong.add(body + ": " + answer.statusCode() + " " + Http.text(answer));
      }
    }
    assertThat(wrong).isEmpty();
    platform.topic().reset();
    assertThat(platform.bean(InFlightByteLimiter.class).held()).isZero();
  }

  private void attack(Door door, long seed, long end, Map<Integer, Integer> answers) {
    Mutations mutations = new Mutations(door.seeds(), seed);
    Random random = new Random(seed);
    while (System.nanoTime() < end) {
      byte[] body = mutations.next();
      // Now and then a body that is not what its headers say.
      String encoding = random.nextInt(20) == 0 ? "gzip" : door.encoding();
      HttpResponse<byte[]> answer =
          Http.post(
              platform.otlp(door.path()),
              body,
              "Content-Type",
              door.type(),
              "Content-Encoding",
              encoding,
              "Authorization",
              HOSTILE);
      answers.merge(answer.statusCode(), 1, Integer::sum);
      if (answer.statusCode() >= 500) {
        throw new AssertionError(
            answer.statusCode()
                + " for "
                + java.util.Base64.getEncoder().encodeToString(body)
                + " at "
                + door);
      }
    }
  }

  private static List<byte[]> snappy(List<byte[]> bodies) {
    return bodies.stream().map(TestingRemoteWrite::snappy).toList();
  }

  private static List<byte[]> gzip(List<byte[]> bodies) {
    return bodies.stream().map(HostileCorpus::gzip).toList();
  }
}
