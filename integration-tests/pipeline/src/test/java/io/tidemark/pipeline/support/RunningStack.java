package io.tidemark.pipeline.support;

import io.tidemark.provision.StackSecrets;
import io.tidemark.stack.Coordinates;
import io.tidemark.stack.EnvironmentFile;
import io.tidemark.stack.PortPlan;
import io.tidemark.stack.Progress;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.TidemarkStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.opentest4j.TestAbortedException;

/**
 * Brings the stack up before the first class that asks for it and takes it down, data and all,
 * after the last.
 */
public final class RunningStack
    implements BeforeAllCallback,
        AfterAllCallback,
        TestInstancePreConstructCallback,
        TestExecutionExceptionHandler {
  private static final Path HOME = Path.of(".tidemark", "end-to-end");

  /** Jobs of the cluster, below the root. */
  public static final String JOBS = "infra/flink/jobs.yaml";

  /** Who has datasources of their own, below the root. */
  public static final String PLACEMENTS = "infra/druid/operation/placements.json";

  /** The process that runs streaming tasks, below the root. */
  public static final String INDEXER = "infra/druid/indexer/runtime.properties";

  private static final Namespace OWN = Namespace.create(RunningStack.class);
  private static final Instant BEGINNING = Instant.now();

  private static RunningStack.Started started;

  /** A live stack with three tenants of the tests' own beside the demo tenant. */
  public record Started(TidemarkStack stack, StackSettings settings, Map<String, String> keys)
      implements AutoCloseable {
    public Coordinates coordinates() {
      return stack.coordinates();
    }

    /** Basic credentials of the demo organisation, or of one that was made for the tests. */
    public String authorization(String organization) {
      StackIdentity.Credentials credentials =
          organization.equals("org-demo")
              ? new StackIdentity.Credentials(
                  coordinates().get("TIDEMARK_API_KEY"), coordinates().get("TIDEMARK_API_SECRET"))
              : StackIdentity.credentials(keys.get(organization));
      return credentials.authorization();
    }

    @Override
    public void close() throws Exception {
      stack.downWithoutPublishing();
    }
  }

  /** A class with one instance for all of its tests is made before anything else. */
  @Override
  public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context)
      throws Exception {
    beforeAll(context);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    synchronized (RunningStack.class) {
      if (started == null) {
        started = start();
        Started closing = started;
        context
            .getRoot()
            .getStore(Namespace.GLOBAL)
            .put("stack", (ExtensionContext.Store.CloseableResource) closing::close);
      }
    }
    context.getStore(OWN).getOrComputeIfAbsent("began", name -> Instant.now());
  }

  /** Says how long the class took, for those who want the suite faster. */
  @Override
  public void afterAll(ExtensionContext context) {
    Instant began = context.getStore(OWN).get("began", Instant.class);
    if (began == null) {
      // The stack did not start.
      return;
    }
    System.out.printf(
        "  %-28s %-18s %5d s  from second %d on%n",
        context.getDisplayName(),
        "tested",
        Duration.between(began, Instant.now()).toSeconds(),
        Duration.between(BEGINNING, began).toSeconds());
  }

  /** Says what the pipeline was like when a test failed, in the failure itself. */
  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw started == null || failure instanceof TestAbortedException
        ? failure
        : new AssertionError(
            failure.getMessage()
                + System.lineSeparator()
                + String.join(System.lineSeparator(), new PipelineReport(started.stack()).lines()),
            failure);
  }

  public static Started get() {
    return started;
  }

  private static Started start() throws Exception {
    Path root = Path.of(System.getProperty("tidemark.root")).toRealPath();
    Path home = root.resolve(HOME);
    Path checkout = AtLeastOnce.isWanted() ? AtLeastOnce.checkout(root) : checkout(root);
    StackSettings own = StackSettings.fromEnvironment(checkout, Map.of());
    removeLeftovers(own, home);
    Map<String, String> keys = new LinkedHashMap<>();
    SecureRandom random = new SecureRandom();
    keys.put("org-ledger", StackSecrets.apiKey("env-ledger", random));
    keys.put("org-other", StackSecrets.apiKey("env-other", random));
    keys.put("org-late", StackSecrets.apiKey("env-late", random));
    // Sends nothing late: a tenant that sends late points only is complete later than the others.
    keys.put("org-punctual", StackSecrets.apiKey("env-punctual", random));
    StackSettings settings =
        own.at(home, PortPlan.free((int) ProcessHandle.current().pid()))
            .with(
                "TIDEMARK_BOOTSTRAP_EXTRA_KEYS",
                String.join(
                    ",",
                    keys.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList()))
            .with("TIDEMARK_PLATFORM_PROCESSES", System.getProperty("stack.platform-processes", ""))
            .with("TIDEMARK_BROKERS", System.getProperty("stack.brokers", ""))
            .with("TIDEMARK_STORAGE", System.getProperty("stack.storage", ""))
            .with("TIDEMARK_CATALOG", System.getProperty("stack.catalog", ""))
            .with("TIDEMARK_LINKS", System.getProperty("stack.links", ""))
            .with("TIDEMARK_CLOCKS", System.getProperty("stack.clocks", ""))
            .with("TIDEMARK_SECURITY", System.getProperty("stack.security", ""))
            .with("TIDEMARK_COMPILERS", System.getProperty("stack.compilers", ""))
            // Tests know themselves when what they sent has arrived.
            .with("TIDEMARK_REMOVAL_SETTLING", "1s")
            // Receivers of webhooks are on this machine.
            .with("TIDEMARK_WEBHOOK_ALLOWED_ADDRESSES", "127.0.0.0/8")
            // One client asks for all, as fast as it can.
            .with("TIDEMARK_QUERY_REQUESTS_PER_MINUTE", "1000000");
    Files.createDirectories(home);
    EnvironmentFile.write(
        home.resolve("ports.env"), "Ports of the last run here.", ports(settings.ports()));
    TidemarkStack stack = new TidemarkStack(settings, Progress.console());
    try {
      stack.up();
      // Clients of tests take the stack's doors and engines, and show what its lifecycle shows.
      stack.access().encryption().ifPresent(SSLContext::setDefault);
    } catch (Exception e) {
      stack.downWithoutPublishing();
      throw e;
    }
    return new Started(stack, settings, keys);
  }

  /**
   * The checkout; with {@code -Dstack.own-jobs=true} one whose jobs, placements and indexer a test
   * may change, with {@code -Dstack.rollup-subtasks=2} one whose rollup job has so many.
   */
  private static Path checkout(Path root) throws Exception {
    Path copy = root.resolve("integration-tests/pipeline/target/own-jobs");
    String subtasks = System.getProperty("stack.rollup-subtasks", "");
    if (Boolean.getBoolean("stack.own-jobs")) {
      return ChangedCheckout.of(
          root,
          copy,
          Map.of(
              JOBS,
              text -> text + "# A copy, which tests change.\n",
              PLACEMENTS,
              text -> text + "\n",
              INDEXER,
              text -> text + "# A copy, which tests change.\n"));
    }
    return subtasks.isEmpty()
        ? root
        : ChangedCheckout.of(root, copy, Map.of(JOBS, text -> withRollupSubtasks(text, subtasks)));
  }

  private static String withRollupSubtasks(String jobs, String subtasks) {
    return jobs.replaceFirst(
        "(name: rollup\\s(?:.*\\n){1,3}?\\s*parallelism: )\\d+", "$1" + subtasks);
  }

  /** A run that was killed leaves processes behind; their pid files tell which. */
  public static void removeLeftovers(StackSettings own, Path home) throws Exception {
    if (Files.exists(home.resolve("ports.env"))) {
      PortPlan before = PortPlan.fromEnvironment(EnvironmentFile.read(home.resolve("ports.env")));
      new TidemarkStack(own.at(home, before), text -> {}).clean();
    }
  }

  public static Map<String, String> ports(PortPlan plan) {
    Map<String, String> values = new LinkedHashMap<>();
    plan.ports()
        .forEach((name, port) -> values.put(PortPlan.variable(name), Integer.toString(port)));
    return values;
  }
}
