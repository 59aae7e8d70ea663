package io.tidemark.stack;

import static io.tidemark.provision.Provisioning.Step.DRUID;
import static io.tidemark.provision.Provisioning.Step.JOBS;
import static io.tidemark.provision.Provisioning.Step.LAKE;
import static io.tidemark.provision.Provisioning.Step.TOPICS;

import io.tidemark.provision.Addresses;
import io.tidemark.provision.Datasource;
import io.tidemark.provision.DruidHandoff;
import io.tidemark.provision.DruidRebuild;
import io.tidemark.provision.EngineAccess;
import io.tidemark.provision.FlinkJobs;
import io.tidemark.provision.Provisioning;
import io.tidemark.provision.RestoredDatabase;
import io.tidemark.provision.SharedStream;
import io.tidemark.stack.engine.CertificateReload;
import io.tidemark.stack.engine.ClassArchives;
import io.tidemark.stack.engine.DeletedTree;
import io.tidemark.stack.engine.Engines;
import io.tidemark.stack.engine.Replay;
import io.tidemark.stack.engine.Security;
import io.tidemark.stack.process.ProcessSpec;
import io.tidemark.stack.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The stack of one checkout: start, repair, stop, kill, look. Any launcher may pick up where
 * another was killed.
 *
 * <p>Not for several threads at once; two launchers on one folder are kept apart by a lock.
 */
public final class TidemarkStack {
  /** What is not published by then is read again at the next start. */
  private static final Duration LONGEST_PUBLISH = Duration.ofSeconds(30);

  /** Those of the engines of an encrypted stack. */
  static final String CERTIFICATES = "certificates";

  private final StackSettings settings;
  private final StackIdentity identity;
  private final ProcessTable processes;
  private final Progress progress;
  private final StackInspector inspector;
  private final TelemetryAgentLoader agents;

  public TidemarkStack(StackSettings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
    StackIdentity own =
        StackIdentity.loadOrDraw(settings.home().resolve("secrets.env"), new SecureRandom());
    this.identity = settings.firstRegion().map(own::joining).orElse(own);
    this.processes =
        new ProcessTable(settings.home().resolve("run"), settings.home().resolve("logs"));
    this.agents = new TelemetryAgentLoader(settings, processes, progress);
    this.inspector =
        new StackInspector(
            processes, this::specs, this::addresses, new Coordinates(settings, identity));
  }

  /**
   * One line of {@code make status}.
   *
   * @param took how long the look at it took
   */
  public record ComponentStatus(
      String id,
      String state,
      int port,
      long residentBytes,
      Optional<Instant> since,
      Duration took) {}

  /**
   * Starts or repairs everything and provisions the engines. A component that runs from older files
   * is restarted. Returns how many components had to be started: zero means that all was up.
   */
  public int up() throws Exception {
    return up(Duration.ZERO);
  }

  /**
   * The same; engines that were started report their own metrics once half of the machine is idle:
   * loading an agent takes seconds of CPU, and what is behind has to be caught up first.
   *
   * @param patience how long that is waited for
   */
  public int up(Duration patience) throws Exception {
    return locked(
        () -> {
          Security.prepare(settings, identity, Instant.now());
          List<ProcessSpec> specs = specs();
          StackRequirements.check(settings, specs, processes);
          StackRequirements.checkStorage(settings);
          // Rows are behind until the jobs run; Druid and platform-api take longer to start.
          Startup.Afterwards rows =
              new Startup.Afterwards(
                  Set.of("postgres", "kafka", "flink-taskmanager"),
                  () -> {
                    Provisioning.apply(addresses(), EnumSet.of(TOPICS, LAKE, JOBS), progress::line);
                    return null;
                  });
          int started = new Startup(processes, progress).startAll(specs, List.of(rows));
          new CertificateReload(settings, identity, processes).tell();
          new Coordinates(settings, identity).write();
          Provisioning.apply(addresses(Link.DRUID_KAFKA), EnumSet.of(DRUID), progress::line);
          agents.load(ids(specs), patience);
          return started;
        });
  }

  /**
   * Orderly end: jobs with a savepoint first, so that no transaction stays open; then Druid's tasks
   * publish, so that no row is read twice; then the processes. Data stays.
   */
  public void down() throws Exception {
    locked(
        () -> {
          stopJobs();
          publish();
          new Startup(processes, progress).stopAll(specs());
          return 0;
        });
  }

  /** As {@link #down}, but without what only makes the next start shorter. */
  public void downWithoutPublishing() throws Exception {
    locked(
        () -> {
          stopJobs();
          new Startup(processes, progress).stopAll(specs());
          return 0;
        });
  }

  /**
   * Makes the class data archives that are missing, so that the next start takes less CPU; about a
   * minute of one core. The stack need not run. Returns how many were made.
   */
  public int archiveClasses() throws IOException, InterruptedException {
    Files.createDirectories(settings.classArchives());
    try (FileChannel channel =
            FileChannel.open(
                settings.classArchives().resolve("lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      return lock == null ? 0 : new ClassArchives(settings.classArchives(), progress).make();
    }
  }

  /** Whether {@link #archiveClasses} would make something. */
  public boolean isClassArchiveMissing() throws IOException {
    return new ClassArchives(settings.classArchives(), progress).isAnyMissing();
  }

  /** Stops everything and removes data, logs and secrets. */
  public void clean() throws Exception {
    downWithoutPublishing();
    for (String folder : List.of("data", "logs", "run", "certificates", "archives")) {
      DeletedTree.delete(settings.home().resolve(folder));
    }
    Files.deleteIfExists(settings.home().resolve("secrets.env"));
    Files.deleteIfExists(settings.home().resolve("stack.env"));
  }

  private void stopJobs() throws InterruptedException {
    if (processes.find("flink-jobmanager").isEmpty()
        || processes.find("flink-taskmanager").isEmpty()) {
      return;
    }
    try {
      new FlinkJobs(addresses()).stopAll().forEach(told -> progress.line("  job " + told));
    } catch (IOException e) {
      progress.line(
          "  Flink does not answer ("
              + e.getMessage()
              + "); its jobs keep their last checkpoints.");
    }
  }

  private void publish() throws InterruptedException {
    if (processes.find("druid-indexer").isEmpty()
        || processes.find("druid-coordinator").isEmpty()) {
      return;
    }
    long begin = System.nanoTime();
    try {
      int left = new DruidHandoff(addresses()).publish(LONGEST_PUBLISH);
      progress.line(
          "  %-28s %-18s %5.1f s"
              .formatted(
                  "rows of Druid's tasks",
                  left == 0 ? "published" : left + " tasks not yet",
                  (System.nanoTime() - begin) / 1e9));
    } catch (IOException e) {
      progress.line(
          "  Druid does not answer ("
              + e.getMessage()
              + "); rows that it has not published are read again at the next start.");
    }
  }

  /** kill -9 of one component, as a crash. */
  public void kill(String id) throws IOException, InterruptedException {
    processes.kill(spec(id).id());
  }

  /** What else may happen to a process. */
  public ProcessFaults processFaults() {
    return new ProcessFaults(settings, processes, id -> spec(id).id());
  }

  /** Starts one component again and waits until it serves. */
  public void start(String id) throws Exception {
    new Startup(processes, progress).startAll(List.of(spec(id)));
    agents.load(List.of(id), Duration.ZERO);
  }

  /** Orderly stop of one component. */
  public void stop(String id) throws Exception {
    processes.stop(spec(id));
  }

  /** One line per component; one that hangs does not hide the others. */
  public List<ComponentStatus> status() {
    return inspector.status();
  }

  /** The line of one component. */
  public ComponentStatus status(String id) {
    return inspector.status(spec(id));
  }

  /** Name and state of each Flink job; empty when the JobManager does not answer. */
  public Map<String, String> jobs() {
    return inspector.jobs();
  }

  /**
   * What is not as it should be, a line for each, as {@code make status} ends with. Empty when all
   * is well.
   */
  public List<String> faults() throws InterruptedException {
    return inspector.faults();
  }

  /**
   * Transactions that could not be committed, by Flink job; only jobs with some. Empty when the
   * JobManager does not answer.
   */
  public Map<String, Long> failedCommits() {
    return inspector.failedCommits();
  }

  /** What Druid takes and serves; empty when it does not answer. */
  public List<Datasource> datasources() {
    return inspector.datasources();
  }

  /** Where Druid differs from {@code infra/druid}; empty when it does not answer, too. */
  public List<String> druidDrift() {
    return inspector.druidDrift();
  }

  /** Logs of platform-api, one for each process of it. */
  public List<Path> platformLogs() {
    return specs().stream()
        .map(ProcessSpec::id)
        .filter(id -> id.startsWith("platform-api"))
        .map(settings::log)
        .toList();
  }

  public Path log(String id) {
    return settings.log(spec(id).id());
  }

  /** The command that verifies all audit logs. Ends with 0 when all are intact, 1 when not. */
  public ProcessBuilder verifyAudit() throws IOException {
    Files.createDirectories(settings.data("verify-audit").resolve("tmp"));
    return Engines.verifyAudit(settings, identity);
  }

  /**
   * The replay command: rolls up a tenant's raw points from {@code from} to {@code to} again and
   * compares. Ends with 0 when equal, 4 when not.
   */
  public ProcessBuilder replay(String tenant, String from, String to, String version)
      throws IOException {
    Files.createDirectories(settings.data("replay").resolve("tmp"));
    return Replay.command(settings, identity, tenant, from, to, version);
  }

  /**
   * Makes lake and topics fit a PostgreSQL that was restored to an earlier moment, while
   * platform-api and the jobs are down. Returns a line for each change.
   */
  public List<String> followRestoredDatabase(Instant moment) throws Exception {
    for (ProcessSpec spec : specs()) {
      boolean writes = spec.id().startsWith("platform-api") || spec.id().startsWith("flink-");
      if (writes && processes.find(spec.id()).isPresent()) {
        throw new StackFailure(
            spec.id() + " runs. Stop it first: docs/operations/restore-postgresql.md.");
      }
    }
    return new RestoredDatabase(addresses()).follow(moment);
  }

  /**
   * Empties Druid and fills it from the lake, while points are taken. Returns when it serves
   * everything.
   */
  public void rebuildDruid() throws Exception {
    new DruidRebuild(addresses(), "127.0.0.1", Clock.systemUTC().instant(), progress::line).run();
  }

  /**
   * Draws a secret anew; the next {@code up} of another instance brings it into force.
   *
   * @param what application-password, catalog-reader-password, sign-in-secret, api-key-pepper, or
   *     {@value #CERTIFICATES}
   */
  public void rotate(String what) throws Exception {
    if (what.equals(CERTIFICATES)) {
      Security.renewCertificates(settings, identity, Instant.now());
      return;
    }
    StackIdentity.rotate(settings.home().resolve("secrets.env"), what, new SecureRandom());
  }

  public Coordinates coordinates() {
    return new Coordinates(settings, identity);
  }

  private Addresses addresses() {
    return addresses(Link.FLINK_KAFKA);
  }

  /**
   * @param kafka the link by which those who are provisioned reach the broker
   */
  private Addresses addresses(Link kafka) {
    return new Addresses(
        settings.root(),
        settings.address(kafka),
        Engines.url(settings, identity, "druid-coordinator"),
        Engines.url(settings, identity, "flink-ui"),
        settings.data("flink"),
        settings.storage() == StackSettings.Storage.S3
            ? "s3://" + StackSettings.bucket("flink")
            : "file://" + settings.data("flink"),
        Engines.catalogUrl(settings, identity),
        Engines.catalogUser(),
        identity.get("TIDEMARK_CATALOG_PASSWORD"),
        identity.get("TIDEMARK_CATALOG_READER_PASSWORD"),
        settings.dataUri("iceberg", "warehouse"),
        Engines.objectStore(settings, identity),
        Security.access(settings, identity),
        settings
            .firstRegion()
            .map(first -> new SharedStream(first.coordinate("TIDEMARK_KAFKA"), FirstRegion.READER)),
        Engines.lock(settings, identity));
  }

  /** What is shown to engines that do not let everybody in; tests ask them, too. */
  public EngineAccess access() {
    return Security.access(settings, identity);
  }

  private static List<String> ids(List<ProcessSpec> specs) {
    return specs.stream().map(ProcessSpec::id).toList();
  }

  private List<ProcessSpec> specs() {
    return Engines.all(settings, identity);
  }

  private ProcessSpec spec(String id) {
    List<ProcessSpec> all = specs();
    return all.stream()
        .filter(spec -> spec.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new StackFailure(
                    "There is no component '"
                        + id
                        + "'. Components: "
                        + String.join(", ", all.stream().map(ProcessSpec::id).toList())));
  }

  private interface Work {
    int run() throws Exception;
  }

  private int locked(Work work) throws Exception {
    Path file = settings.home().resolve("run/lifecycle.lock");
    Files.createDirectories(file.getParent());
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw new StackFailure(
            "Another `make up` or `make down` works on "
                + settings.home()
                + "; wait for it or end it.");
      }
      return work.run();
    } catch (UncheckedIOException e) {
      throw new StackFailure(Objects.requireNonNullElse(e.getMessage(), e.toString()), e);
    }
  }
}
