package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Keeps the cluster's jobs equal to {@code infra/flink/jobs.yaml}. A job that is missing is resumed
 * from its newest savepoint or retained checkpoint; a job whose jar or arguments changed is stopped
 * with a savepoint and resumed from it. A job is never started empty while state of it exists: that
 * would lose or double what the state knows.
 */
public final class FlinkJobs {
  private static final Set<String> LIVE =
      Set.of("INITIALIZING", "CREATED", "RUNNING", "FAILING", "RESTARTING", "RECONCILING");
  private static final Set<String> ENDED = Set.of("FINISHED", "CANCELED", "FAILED");
  private static final String FILE = "flink/jobs.yaml";
  private static final String KAFKA_CLIENT = "kafka.client";
  private static final String NAME = "tidemark.job";
  private static final String REVISION = "tidemark.revision";
  private static final Duration PATIENCE = Duration.ofSeconds(240);

  /**
   * A JobManager leads once the ZooKeeper session of the one before has ended, after 15 s, and
   * recovers its jobs; a machine on which everything starts takes longer.
   */
  private static final Duration RECOVERY = Duration.ofSeconds(75);

  /** One job of the file. */
  record Job(
      String name,
      Path jar,
      String entryClass,
      int parallelism,
      boolean allowsNonRestoredState,
      Map<String, String> arguments) {}

  private record Live(String id, String state, String name, String revision) {}

  private final Addresses addresses;
  private final Duration recovery;
  private final EngineClient http;

  public FlinkJobs(Addresses addresses) {
    this(addresses, RECOVERY);
  }

  /**
   * @param recovery how long a run that was not stopped is waited for
   */
  FlinkJobs(Addresses addresses, Duration recovery) {
    this.addresses = addresses;
    this.recovery = recovery;
    this.http = addresses.access().http();
  }

  /**
   * The jobs of this region. A second one has those that read points: usage is metered and alerts
   * are decided in the first alone.
   */
  static List<Job> read(Addresses addresses) {
    List<Job> jobs = new ArrayList<>();
    for (Job job : read(addresses.files())) {
      if (addresses.sharedStream().isEmpty()) {
        jobs.add(job);
      } else if (job.arguments().containsKey("points.topic")) {
        SharedStream stream = addresses.sharedStream().get();
        job.arguments().put("source.kafka.bootstrap.servers", stream.kafka());
        job.arguments().put("region", stream.region());
        jobs.add(job);
      }
    }
    return jobs;
  }

  static List<Job> read(InfraFiles files) {
    List<Job> jobs = new ArrayList<>();
    for (JsonNode node : files.yamlList(FILE, "jobs")) {
      Map<String, String> arguments = new TreeMap<>();
      node.path("arguments")
          .properties()
          .forEach(e -> arguments.put(e.getKey(), e.getValue().asText()));
      jobs.add(
          new Job(
              node.path("name").asText(),
              files.root().resolve(node.path("jar").asText()),
              node.path("entry_class").asText(),
              node.path("parallelism").asInt(1),
              node.path("allow_non_restored_state").asBoolean(false),
              arguments));
    }
    return jobs;
  }

  /**
   * Submits, replaces or leaves alone; then waits until every task of every job runs. Returns how
   * many jobs were submitted.
   */
  int apply() throws IOException, InterruptedException {
    int submitted = 0;
    List<Live> live = live();
    List<Job> wanted = read(addresses);
    for (Job job : wanted) {
      String revision = revision(job);
      Optional<Live> present = live.stream().filter(l -> l.name().equals(job.name())).findFirst();
      if (present.isPresent() && present.get().revision().equals(revision)) {
        continue;
      }
      if (present.isPresent()) {
        awaitRunning(present.get().id(), job.name());
        stopWithSavepoint(present.get());
      }
      JobRuns runs = runs(job.name());
      if (present.isEmpty() && comesBack(runs)) {
        continue;
      }
      submit(job, revision, runs, newestState(job.name()));
      submitted++;
    }
    for (Live job : live()) {
      awaitRunning(job.id(), job.name());
    }
    return submitted;
  }

  /**
   * Whether a run that was not stopped is live again. A JobManager that loses ZooKeeper shows no
   * jobs until it leads again and recovers them; a job submitted meanwhile would run twice and
   * double every row.
   */
  private boolean comesBack(JobRuns runs) throws IOException, InterruptedException {
    Optional<String> id = runs.open();
    if (id.isEmpty()) {
      return false;
    }
    long deadline = System.nanoTime() + recovery.toNanos();
    while (System.nanoTime() < deadline) {
      String state = "";
      for (JsonNode job : http.get(addresses.flink() + "/jobs/overview").body().path("jobs")) {
        if (job.path("jid").asText().equals(id.get())) {
          state = job.path("state").asText();
        }
      }
      if (LIVE.contains(state)) {
        return true;
      }
      if (ENDED.contains(state)) {
        runs.ended();
        return false;
      }
      Thread.sleep(200);
    }
    return false;
  }

  /**
   * Stops every live job with a savepoint, so that all its output is committed. Jobs that cannot
   * are left to their checkpoints.
   */
  public List<String> stopAll() throws IOException, InterruptedException {
    List<String> told = new ArrayList<>();
    for (Live job : live()) {
      try {
        told.add(job.name() + " stopped with savepoint " + stopWithSavepoint(job));
      } catch (ProvisionFailure e) {
        told.add(job.name() + " left to its last checkpoint: " + e.getMessage());
      }
    }
    return told;
  }

  /** Name and state of each live job, for people. */
  public Map<String, String> states() throws IOException, InterruptedException {
    Map<String, String> states = new TreeMap<>();
    live().forEach(job -> states.put(job.name(), job.state()));
    return states;
  }

  /** Names of the jobs that there should be. */
  public static List<String> declared(Addresses addresses) {
    return read(addresses.files()).stream().map(Job::name).toList();
  }

  /**
   * How long before {@code now} the last checkpoint of each running job was completed; since the
   * job runs, if none was.
   */
  public Map<String, Duration> lastCheckpoints(Instant now)
      throws IOException, InterruptedException {
    Map<String, Duration> ages = new TreeMap<>();
    for (Live job : live()) {
      if (job.state().equals("RUNNING")) {
        String url = addresses.flink() + "/jobs/" + job.id();
        long running = http.get(url).body().at("/timestamps/RUNNING").asLong(now.toEpochMilli());
        long completed =
            http.get(url + "/checkpoints")
                .body()
                .at("/latest/completed/latest_ack_timestamp")
                .asLong();
        ages.put(
            job.name(), Duration.between(Instant.ofEpochMilli(Math.max(running, completed)), now));
      }
    }
    return ages;
  }

  /**
   * Transactions that sinks of each live job could not commit since its tasks started; only jobs
   * with some. Their rows are missing although the job runs on.
   */
  public Map<String, Long> failedCommits() throws IOException, InterruptedException {
    Map<String, Long> failed = new TreeMap<>();
    for (Live job : live()) {
      String vertices = addresses.flink() + "/jobs/" + job.id();
      for (JsonNode vertex : http.get(vertices).body().path("vertices")) {
        long count =
            failedCommits(
                vertices + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics");
        if (count > 0) {
          failed.merge(job.name(), count, Long::sum);
        }
      }
    }
    return failed;
  }

  private long failedCommits(String metrics) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (JsonNode metric : http.get(metrics).body()) {
      String name = metric.path("id").asText();
      if (name.endsWith(".failedCommittables")) {
        names.add(URLEncoder.encode(name, StandardCharsets.UTF_8));
      }
    }
    long failed = 0;
    if (!names.isEmpty()) {
      for (JsonNode metric : http.get(metrics + "?get=" + String.join(",", names)).body()) {
        failed += Math.round(metric.path("sum").asDouble());
      }
    }
    return failed;
  }

  private List<Live> live() throws IOException, InterruptedException {
    List<Live> found = new ArrayList<>();
    for (JsonNode node : http.get(addresses.flink() + "/jobs/overview").body().path("jobs")) {
      String state = node.path("state").asText();
      if (LIVE.contains(state)) {
        String id = node.path("jid").asText();
        JsonNode user =
            http.get(addresses.flink() + "/jobs/" + id + "/config")
                .body()
                .at("/execution-config/user-config");
        found.add(
            new Live(
                id,
                state,
                user.path(NAME).asText(node.path("name").asText()),
                user.path(REVISION).asText()));
      }
    }
    return found;
  }

  /**
   * Submits under the id of the last run if that was not stopped: should the cluster have it after
   * all, it refuses the second.
   */
  private void submit(Job job, String revision, JobRuns runs, Optional<String> state)
      throws IOException, InterruptedException {
    if (!Files.exists(job.jar())) {
      throw notBuilt(job);
    }
    EngineClient.Answer uploaded =
        http.upload(
            addresses.flink() + "/jars/upload", "jarfile", job.jar(), "application/x-java-archive");
    String file = uploaded.body().path("filename").asText();
    if (!uploaded.ok() || file.isEmpty()) {
      throw ProvisionFailure.engine(
          "Flink did not take " + job.jar().getFileName() + ": " + uploaded.text());
    }
    String jarId = file.substring(file.lastIndexOf('/') + 1);
    ObjectNode run = EngineClient.JSON.createObjectNode();
    run.put("entryClass", job.entryClass())
        .put("parallelism", job.parallelism())
        .put("allowNonRestoredState", job.allowsNonRestoredState());
    ArrayNode arguments = run.putArray("programArgsList");
    arguments(job)
        .forEach((name, value) -> arguments.add("--" + name).add(addresses.fill(FILE, value)));
    run.putObject("flinkConfiguration")
        .put(
            "pipeline.global-job-parameters",
            NAME + ":" + job.name() + "," + REVISION + ":" + revision);
    Optional<String> open = runs.open();
    open.ifPresent(id -> run.put("jobId", id));
    state.ifPresent(uri -> run.put("savepointPath", uri));
    // Answered once the jar has gone to the storage of Flink's high availability.
    EngineClient.Answer answer =
        http.post(addresses.flink() + "/jars/" + jarId + "/run", run, PATIENCE);
    String id = answer.body().path("jobid").asText();
    if (!answer.ok() || id.isEmpty()) {
      throw ProvisionFailure.engine("Flink did not start job " + job.name() + ": " + answer.text());
    }
    if (open.isEmpty()) {
      runs.begun(id);
    }
    http.delete(addresses.flink() + "/jars/" + jarId);
  }

  private String stopWithSavepoint(Live job) throws IOException, InterruptedException {
    ObjectNode request = EngineClient.JSON.createObjectNode().put("drain", false);
    request.put("targetDirectory", storage().uri("savepoints/" + job.name()));
    EngineClient.Answer begun =
        http.post(addresses.flink() + "/jobs/" + job.id() + "/stop", request);
    String trigger = begun.body().path("request-id").asText();
    if (!begun.ok() || trigger.isEmpty()) {
      throw ProvisionFailure.engine("stop-with-savepoint was refused: " + begun.text());
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      JsonNode status =
          http.get(addresses.flink() + "/jobs/" + job.id() + "/savepoints/" + trigger).body();
      if (status.at("/status/id").asText().equals("COMPLETED")) {
        JsonNode location = status.at("/operation/location");
        if (location.isMissingNode()) {
          throw ProvisionFailure.engine(
              "stop-with-savepoint failed: "
                  + status.at("/operation/failure-cause/class").asText());
        }
        awaitEnded(job.id(), deadline);
        runs(job.name()).ended();
        return location.asText();
      }
      Thread.sleep(200);
    }
    throw ProvisionFailure.engine(
        "stop-with-savepoint of "
            + job.name()
            + " took longer than "
            + PATIENCE.toSeconds()
            + " s");
  }

  private void awaitEnded(String id, long deadline) throws IOException, InterruptedException {
    while (System.nanoTime() < deadline
        && LIVE.contains(
            http.get(addresses.flink() + "/jobs/" + id).body().path("state").asText())) {
      Thread.sleep(100);
    }
  }

  private void awaitRunning(String id, String name) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    while (System.nanoTime() < deadline) {
      JsonNode job = http.get(addresses.flink() + "/jobs/" + id).body();
      boolean running =
          job.path("state").asText().equals("RUNNING") && job.path("vertices").size() > 0;
      for (JsonNode vertex : job.path("vertices")) {
        running &= vertex.path("status").asText().equals("RUNNING");
      }
      if (running) {
        return;
      }
      last = job.path("state").asText();
      Thread.sleep(200);
    }
    JsonNode cause =
        http.get(addresses.flink() + "/jobs/" + id + "/exceptions")
            .body()
            .at("/exceptionHistory/entries/0/stacktrace");
    String text = cause.asText();
    throw ProvisionFailure.engine(
        "Job "
            + name
            + " is "
            + last
            + " and does not run after "
            + PATIENCE.toSeconds()
            + " s. See `make logs C=flink-taskmanager`.\n"
            + text.substring(0, Math.min(2000, text.length())));
  }

  /** The newest of the job's savepoints and of the checkpoints that its earlier runs left. */
  private Optional<String> newestState(String name) throws IOException {
    List<JobStates.Found> found = new ArrayList<>(storage().below("savepoints/" + name));
    for (String id : runs(name).all()) {
      found.addAll(storage().below("checkpoints/" + id));
    }
    return found.stream()
        .max(Comparator.comparing(JobStates.Found::written))
        .map(JobStates.Found::uri);
  }

  private JobStates storage() {
    return JobStates.at(addresses.flinkStorage(), addresses.objectStore());
  }

  private JobRuns runs(String name) {
    return new JobRuns(addresses.flinkState().resolve("jobs").resolve(name + ".ids"));
  }

  private String revision(Job job) throws IOException {
    if (!Files.exists(job.jar())) {
      throw notBuilt(job);
    }
    return new ContentDigest()
        .add(job.jar())
        .add(job.entryClass() + job.parallelism() + addresses.fill(FILE, arguments(job).toString()))
        .hex()
        .substring(0, 16);
  }

  /** Those of the file, and where the job finds what it shows to Kafka. */
  private Map<String, String> arguments(Job job) {
    Map<String, String> arguments = new TreeMap<>(job.arguments());
    addresses
        .access()
        .jobClients()
        .ifPresent(
            folder -> arguments.put(KAFKA_CLIENT, folder + "/" + job.name() + ".properties"));
    return arguments;
  }

  private static ProvisionFailure notBuilt(Job job) {
    return ProvisionFailure.input(
        "There is no " + job.jar() + " of the job " + job.name() + ". Run `make build`.");
  }
}
