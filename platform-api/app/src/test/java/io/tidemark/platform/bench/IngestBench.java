package io.tidemark.platform.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.TestingDatabase;
import io.tidemark.platform.testing.TestingKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gateway as it is shipped, before a real broker with acks=all, against Prometheus and
 * VictoriaMetrics that receive the same bodies, in turns. A figure is the user and system time of
 * the receiver's process and nothing else. Run by {@code make bench-ingest}.
 */
class IngestBench {

  private static final int SENDERS = 4;
  private static final int POINTS = 2_000;
  private static final double WARM_UP_TURN = 5;

  /** The compiler's part of a gateway's time when it is warm. */
  private static final double QUIET_COMPILER = 0.02;

  private static final String NOISY = TestingKeys.key("env-demo", 'D');
  private static final String QUIET = TestingKeys.key("env-extra", 'E');
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final int rounds = Integer.getInteger("bench.rounds", 3);
  private final double seconds = Integer.getInteger("bench.seconds", 8);

  /** Of load, for each receiver and row; less when the gateway's compiler has no more to do. */
  private final double warmUp = Integer.getInteger("bench.warm-up", 150);

  private final String rows =
      System.getProperty("bench.rows", "remote-write,remote-write-2,otlp,fairness");
  private int apiPort;

  @TempDir private Path folder;

  private record Competitor(Receiver receiver, Load load) {}

  @Test
  void measure() throws Exception {
    Path root = Path.of(System.getProperty("bench.root"));
    Path engines = Path.of(System.getProperty("bench.engines"));
    int gateway = Receiver.freePort();
    int prometheusPort = Receiver.freePort();
    int victoriaPort = Receiver.freePort();
    apiPort = Receiver.freePort();
    try (TestingDatabase database = new TestingDatabase();
        Broker broker =
            Broker.start(root, engines, Files.createDirectory(folder.resolve("kafka")));
        Receiver tidemark = tidemark(root, database, broker, gateway);
        Receiver prometheus = prometheus(prometheusPort);
        Receiver victoria = victoriaMetrics(victoriaPort)) {
      long begin = System.currentTimeMillis() - 55 * 60_000;
      if (isWanted("remote-write")) {
        IntFunction<Body> bodies = sender -> Body.remoteWrite(sender, POINTS, begin);
        String headers =
            "Content-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\n"
                + "X-Prometheus-Remote-Write-Version: 0.1.0\r\n";
        compare(
            "remote write 1.0",
            competitor(tidemark, new Door(gateway, "/api/v1/write", headers + key(QUIET)), bodies),
            competitor(prometheus, new Door(prometheusPort, "/api/v1/write", headers), bodies),
            competitor(victoria, new Door(victoriaPort, "/api/v1/write", headers), bodies));
      }
      if (isWanted("remote-write-2")) {
        IntFunction<Body> bodies = sender -> Body.remoteWrite2(sender, POINTS, begin);
        String headers =
            "Content-Type: application/x-protobuf;proto=io.prometheus.write.v2.Request\r\n"
                + "Content-Encoding: snappy\r\nX-Prometheus-Remote-Write-Version: 2.0.0\r\n";
        compare(
            "remote write 2.0",
            competitor(tidemark, new Door(gateway, "/api/v1/write", headers + key(QUIET)), bodies),
            competitor(prometheus, new Door(prometheusPort, "/api/v1/write", headers), bodies));
      }
      if (isWanted("otlp")) {
        IntFunction<Body> bodies = sender -> Body.otlp(sender, POINTS, begin);
        String headers = "Content-Type: application/x-protobuf\r\n";
        compare(
            "OTLP/HTTP",
            competitor(tidemark, new Door(gateway, "/v1/metrics", headers + key(QUIET)), bodies),
            competitor(
                prometheus, new Door(prometheusPort, "/api/v1/otlp/v1/metrics", headers), bodies),
            competitor(
                victoria, new Door(victoriaPort, "/opentelemetry/v1/metrics", headers), bodies));
      }
      if (isWanted("fairness")) {
        fairness(gateway, begin);
      }
    }
  }

  private boolean isWanted(String row) {
    return List.of(rows.split(",", -1)).contains(row);
  }

  private static String key(String whole) {
    return "Authorization: " + TestingKeys.bearer(whole) + "\r\n";
  }

  private static Competitor competitor(Receiver receiver, Door door, IntFunction<Body> bodies) {
    return new Competitor(receiver, new Load(door, bodies(SENDERS, bodies)));
  }

  private static List<Body> bodies(int number, IntFunction<Body> make) {
    List<Body> bodies = new ArrayList<>();
    for (int sender = 0; sender < number; sender++) {
      bodies.add(make.apply(sender));
    }
    return bodies;
  }

  private void compare(String protocol, Competitor ours, Competitor... peers) {
    List<Competitor> all = new ArrayList<>(List.of(ours));
    all.addAll(List.of(peers));
    Map<Competitor, List<Double>> perCore = new HashMap<>();
    Map<Competitor, List<Double>> rates = new HashMap<>();
    warmUp(protocol, ours, peers);
    Map<String, Double> threads = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Competitor competitor : all) {
        double before = competitor.receiver().cpuSeconds();
        Map<String, Double> threadsBefore = competitor.receiver().cpuSecondsByThreads();
        Load.Result result = competitor.load().flood(seconds);
        double cpu = competitor.receiver().cpuSeconds() - before;
        if (competitor == ours) {
          ours.receiver()
              .cpuSecondsByThreads()
              .forEach((name, used) -> threads.merge(name, used, Double::sum));
          threadsBefore.forEach((name, used) -> threads.merge(name, -used, Double::sum));
        }
        note(perCore, competitor, result.points() / cpu / 1e6);
        note(rates, competitor, result.requestsPerSecond());
        say(
            "%s, %s, round %d: %.3f M points per core-second (%.2f cores), %.0f requests/s",
            protocol,
            competitor.receiver().name(),
            round + 1,
            result.points() / cpu / 1e6,
            cpu / result.seconds(),
            result.requestsPerSecond());
      }
    }
    sayThreads(protocol, threads);
    // Half of what the slowest one can: all have the same load.
    double half = all.stream().mapToDouble(one -> median(rates.get(one))).min().orElseThrow() / 2;
    Map<Competitor, List<Double>> p99 = new HashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Competitor competitor : all) {
        Load.Result result = competitor.load().pace(seconds, half);
        note(p99, competitor, result.percentileMillis(0.99));
        say(
            "%s, %s, round %d at %.0f requests/s: p50 %.1f ms, p99 %.1f ms",
            protocol,
            competitor.receiver().name(),
            round + 1,
            half,
            result.percentileMillis(0.5),
            result.percentileMillis(0.99));
      }
    }
    for (Competitor peer : peers) {
      say(
          "%s: %.3f M points per core-second, %s %.3f: %.2f times; p99 at half load %.1f ms, %.1f ms:"
              + " %.2f times",
          protocol,
          median(perCore.get(ours)),
          peer.receiver().name(),
          median(perCore.get(peer)),
          median(perCore.get(ours)) / median(perCore.get(peer)),
          median(p99.get(ours)),
          median(p99.get(peer)),
          median(p99.get(ours)) / median(p99.get(peer)));
    }
    all.forEach(competitor -> competitor.load().close());
  }

  /**
   * All in turns until the gateway's compiler took next to nothing in two turns one after another:
   * a process that has run for some minutes is the usual one, and the others come compiled.
   */
  private void warmUp(String protocol, Competitor ours, Competitor... peers) {
    double spent = 0;
    double share = 1;
    for (int quiet = 0; quiet < 2 && spent < warmUp; spent += WARM_UP_TURN) {
      double compiling = ours.receiver().compilerSeconds();
      double before = ours.receiver().cpuSeconds();
      ours.load().flood(WARM_UP_TURN);
      share =
          (ours.receiver().compilerSeconds() - compiling) / (ours.receiver().cpuSeconds() - before);
      quiet = share < QUIET_COMPILER ? quiet + 1 : 0;
      for (Competitor peer : peers) {
        peer.load().flood(WARM_UP_TURN);
      }
    }
    say(
        "%s: %.0f s of warming up; of the last %.0f s the compiler took %.1f %%",
        protocol, spent, WARM_UP_TURN, 100 * share);
  }

  /** What the time of Tidemark's process went to, by its threads. */
  private static void sayThreads(String protocol, Map<String, Double> threads) {
    double whole = threads.values().stream().mapToDouble(Double::doubleValue).sum();
    say(
        "%s, Tidemark's threads: %s",
        protocol,
        threads.entrySet().stream()
            .filter(thread -> thread.getValue() > whole / 200)
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .map(
                thread ->
                    String.format(
                        Locale.ROOT,
                        "%s %.0f %%",
                        thread.getKey(),
                        100 * thread.getValue() / whole))
            .collect(Collectors.joining(", ")));
  }

  /** One tenant at its quota and at ten times as much, in turns, beside another one. */
  private void fairness(int gateway, long begin) throws Exception {
    int quota = 40;
    setQuota(quota);
    String headers = "Content-Type: application/x-protobuf\r\n";
    Load quiet =
        new Load(
            new Door(gateway, "/v1/metrics", headers + key(QUIET)),
            bodies(2, sender -> Body.otlp(100 + sender, 500, begin)));
    Load noisy =
        new Load(
            new Door(gateway, "/v1/metrics", headers + key(NOISY)),
            bodies(SENDERS, sender -> Body.otlp(200 + sender, 500, begin)));
    Map<Integer, List<Load.Result>> turns = new TreeMap<>();
    // Uses up what a silent tenant may send at once, so that both turns begin with nothing left.
    beside(quiet, noisy, quota * 10, warmUp / 2);
    for (int round = 0; round < rounds + 2; round++) {
      for (int times : new int[] {1, 10}) {
        Load.Result[] both = beside(quiet, noisy, quota * times, seconds);
        turns.computeIfAbsent(times, unknown -> new ArrayList<>()).add(both[0]);
        say(
            "fairness, the other at %d times its quota (%d taken, %d refused): p50 %.1f ms, p99 %.1f ms",
            times,
            both[1].taken(),
            both[1].refused(),
            both[0].percentileMillis(0.5),
            both[0].percentileMillis(0.99));
      }
    }
    // A turn has some eight requests beyond its 99th percentile, as many as the heap is collected
    // now and then: too few to compare. So all turns of a kind are taken together.
    double alone = Load.Result.of(turns.get(1)).percentileMillis(0.99);
    double beside = Load.Result.of(turns.get(10)).percentileMillis(0.99);
    say(
        "fairness: of all turns p99 %.1f ms beside a tenant at its quota, %.1f ms at ten times: %+.0f %%",
        alone, beside, 100 * (beside / alone - 1));
    quiet.close();
    noisy.close();
  }

  private static Load.Result[] beside(Load quiet, Load noisy, double rate, double seconds)
      throws InterruptedException {
    Load.Result[] results = new Load.Result[2];
    Thread other = new Thread(() -> results[1] = noisy.pace(seconds, rate));
    other.start();
    results[0] = quiet.pace(seconds, 100);
    other.join();
    return results;
  }

  private void setQuota(int requestsPerSecond) throws Exception {
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:" + apiPort + "/api/v1/organizations/org-demo/quotas"))
                .header("Authorization", TestingKeys.bearer(NOISY))
                .header("Content-Type", "application/json")
                .header("If-Match", "*")
                .PUT(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"requests_per_second\":" + requestsPerSecond + "}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private Receiver tidemark(Path root, TestingDatabase database, Broker broker, int gateway)
      throws Exception {
    Map<String, String> environment = new HashMap<>();
    environment.put("SERVER_PORT", Integer.toString(apiPort));
    environment.put("TIDEMARK_OTLP_HTTP_PORT", Integer.toString(gateway));
    environment.put("TIDEMARK_OTLP_GRPC_PORT", Integer.toString(Receiver.freePort()));
    environment.put("TIDEMARK_KAFKA_DOOR_PORT", Integer.toString(Receiver.freePort()));
    environment.put("TIDEMARK_POSTGRES_URL", database.url("tidemark"));
    environment.put("TIDEMARK_POSTGRES_USER", TestingDatabase.OWNER);
    environment.put("TIDEMARK_POSTGRES_PASSWORD", "owner");
    environment.put("TIDEMARK_POSTGRES_APPLICATION_PASSWORD", "application");
    environment.put("TIDEMARK_KAFKA", broker.address());
    environment.put("TIDEMARK_DRUID", "http://127.0.0.1:1");
    environment.put("TIDEMARK_API_KEY_PEPPER", "a pepper of at least 32 characters");
    environment.put("TIDEMARK_SIGN_IN", "off");
    environment.put("TIDEMARK_BOOTSTRAP_DEMO_KEY", NOISY);
    environment.put("TIDEMARK_BOOTSTRAP_EXTRA_KEYS", "org-extra=" + QUIET);
    for (String quota : List.of("REQUESTS", "BYTES", "POINTS")) {
      environment.put(
          "TIDEMARK_QUOTA_" + quota + "_PER_SECOND",
          "2000000000" + (quota.equals("BYTES") ? "B" : ""));
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx384m",
                "-XX:+UseSerialGC"));
    String more = System.getProperty("bench.jvm", "");
    if (!more.isBlank()) {
      command.addAll(List.of(more.split(" ", -1)));
    }
    command.addAll(
        List.of("-jar", root.resolve("platform-api/app/target/platform-api.jar").toString()));
    return Receiver.start(
        "Tidemark",
        command,
        environment,
        folder.resolve("platform-api.log"),
        () -> isReady("http://127.0.0.1:" + apiPort + "/readyz"));
  }

  private Receiver prometheus(int port) throws Exception {
    Path configuration = folder.resolve("prometheus.yml");
    Files.writeString(configuration, "global: {scrape_interval: 1m}\n");
    return Receiver.start(
        "Prometheus",
        List.of(
            System.getProperty("bench.prometheus"),
            "--config.file=" + configuration,
            "--storage.tsdb.path=" + folder.resolve("prometheus"),
            "--web.listen-address=127.0.0.1:" + port,
            "--web.enable-remote-write-receiver",
            "--web.enable-otlp-receiver"),
        Map.of(),
        folder.resolve("prometheus.log"),
        () -> isReady("http://127.0.0.1:" + port + "/-/ready"));
  }

  private Receiver victoriaMetrics(int port) throws Exception {
    return Receiver.start(
        "VictoriaMetrics",
        List.of(
            System.getProperty("bench.victoria-metrics"),
            "-storageDataPath=" + folder.resolve("victoria-metrics"),
            "-httpListenAddr=127.0.0.1:" + port),
        Map.of(),
        folder.resolve("victoria-metrics.log"),
        () -> isReady("http://127.0.0.1:" + port + "/health"));
  }

  private static boolean isReady(String address) {
    try {
      return HTTP.send(
                  HttpRequest.newBuilder(URI.create(address)).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException stop) {
      throw new IllegalStateException(stop);
    }
  }

  private static void note(
      Map<Competitor, List<Double>> figures, Competitor competitor, double figure) {
    figures.computeIfAbsent(competitor, unknown -> new ArrayList<>()).add(figure);
  }

  private static double median(List<Double> figures) {
    List<Double> sorted = figures.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static void say(String form, Object... figures) {
    System.out.println("BENCH " + String.format(Locale.ROOT, form, figures));
  }
}
