package io.tidemark.platform.testing;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.tidemark.platform.PlatformApplication;
import io.tidemark.platform.access.InvitationSender;
import io.tidemark.platform.access.MailSender;
import io.tidemark.platform.completeness.PipelineProgress;
import io.tidemark.platform.deletion.DeletableRows;
import io.tidemark.platform.ingest.application.BatchPublisher;
import io.tidemark.platform.ingest.application.TenantQuotas;
import io.tidemark.platform.ingest.grpc.OtlpGrpcServer;
import io.tidemark.platform.ingest.kafka.listener.KafkaListenerServer;
import io.tidemark.platform.ingest.web.OtlpHttpPort;
import io.tidemark.platform.outbox.ControlRecordPublisher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The whole application on free ports, on a real PostgreSQL, with doubles for Kafka's topic and
 * Druid. Started once for all tests of a process; each test class takes it as a parameter of its
 * constructor and uses tenants of its own. Closed before its database, so that no connection is
 * left waiting.
 */
public final class RunningPlatform implements AutoCloseable {

  public static final Duration CLOSING_DELAY = Duration.ofMinutes(5);
  public static final int MAX_ENVIRONMENTS = 200;
  public static final String DEMO_KEY = TestingKeys.key("env-demo", 'D');
  public static final String SELF_KEY = TestingKeys.key("env-self", 'S');
  public static final String EXTRA_KEY = TestingKeys.key("env-extra", 'E');

  private final TestingDatabase database;
  private final boolean ownsDatabase;
  private final TestingPointsTopic topic = new TestingPointsTopic();
  private final TestingControlTopics controlTopics = new TestingControlTopics();
  private final TestingDruid druid = new TestingDruid();
  private final AtomicReference<InvitationSender> sending =
      new AtomicReference<>(InvitationSender.BY_HAND);
  private final AtomicReference<MailSender> mail = new AtomicReference<>(MailSender.NONE);
  private final TestingDeletableRows deletableRows = new TestingDeletableRows();
  private final TestingProgress progress = new TestingProgress();
  private final TestingQuotas quotas = new TestingQuotas(this::ownQuotas);
  private final Path log = newLog();
  private final ConfigurableApplicationContext application;

  private RunningPlatform(
      TestingDatabase database, boolean ownsDatabase, Map<String, Object> environment) {
    this.database = database;
    this.ownsDatabase = ownsDatabase;
    application = start(environment);
  }

  /**
   * A platform of a test's own, which the test closes.
   *
   * @param environment settings as the environment would give them
   */
  public static RunningPlatform with(Map<String, Object> environment) {
    return new RunningPlatform(new TestingDatabase(), true, environment);
  }

  /** Another process on the database of this one, which the test closes first. */
  public RunningPlatform beside(Map<String, Object> environment) {
    return new RunningPlatform(database, false, environment);
  }

  private ConfigurableApplicationContext start(Map<String, Object> environment) {
    SpringApplication platform = new SpringApplication(PlatformApplication.class);
    platform.setDefaultProperties(environment);
    platform.setRegisterShutdownHook(false);
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingPointsTopic",
                    BatchPublisher.class,
                    () -> topic,
                    definition -> definition.setPrimary(true)));
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingControlTopics",
                    ControlRecordPublisher.class,
                    () -> controlTopics,
                    definition -> definition.setPrimary(true)));
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingProgress",
                    PipelineProgress.class,
                    () -> progress,
                    definition -> definition.setPrimary(true)));
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingQuotas",
                    TenantQuotas.class,
                    () -> quotas,
                    definition -> definition.setPrimary(true)));
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingStoredRows",
                    DeletableRows.class,
                    () -> deletableRows,
                    definition -> definition.setPrimary(true)));
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingInvitations",
                    InvitationSender.class,
                    () -> message -> sending.get().send(message),
                    definition -> definition.setPrimary(true)));
    platform.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "testingMail",
                    MailSender.class,
                    this::mailOfTests,
                    definition -> definition.setPrimary(true)));
    return platform.run(
        Stream.of(settings())
            .filter(setting -> !environment.containsKey(setting.substring(2, setting.indexOf('='))))
            .toArray(String[]::new));
  }

  /** Of every test, unless its environment names another value. */
  private String[] settings() {
    return new String[] {
      "--server.port=0",
      // Tests are on the address of a proxy, and say whom they forward.
      "--tidemark.network.trusted-proxies=127.0.0.1",
      // Test classes share organisations.
      "--tidemark.plan.max-environments=" + MAX_ENVIRONMENTS,
      // Tests of many kinds make organisations of their own.
      "--tidemark.plan.organization-creators=anyone",
      "--tidemark.ingest.http-port=0",
      "--tidemark.ingest.grpc-port=0",
      "--tidemark.ingest.kafka-door.port=0",
      "--tidemark.ingest.max-body=1MB",
      "--tidemark.ingest.max-in-flight=4MB",
      "--tidemark.ingest.kafka=127.0.0.1:1",
      "--tidemark.query.druid=" + druid.address(),
      "--tidemark.retention.druid=" + druid.address(),
      "--tidemark.query.kafka=127.0.0.1:1",
      // Tests of removals take their steps themselves, with stores of their own.
      "--tidemark.deletion.step=1d",
      "--tidemark.replay.period=1d",
      "--tidemark.deletion.settling=0s",
      "--tidemark.query.requests-per-minute=100000",
      // Tests close periods themselves.
      "--tidemark.billing.closing-period=1h",
      // The last month is closed by tests of the first day of a month too.
      "--tidemark.billing.closing-delay=" + CLOSING_DELAY.toMinutes() + "m",
      "--tidemark.billing.watching-period=1h",
      "--tidemark.billing.collecting-period=1h",
      "--tidemark.billing.reconciling-period=1h",
      "--tidemark.billing.costs.points=0.00000001",
      "--tidemark.postgres.url=" + database.url("tidemark"),
      "--tidemark.postgres.user=" + TestingDatabase.OWNER,
      "--tidemark.postgres.password=owner",
      "--tidemark.postgres.application-password=application",
      "--tidemark.access.api-key-pepper=a pepper of at least 32 characters",
      // Tests of revocation need not wait; that answers are remembered is tested on its own.
      // A measurement under load sets the shipped time.
      "--tidemark.access.key-cache-time=" + System.getProperty("platform.key-cache-time", "0s"),
      // Conditions are looked at many times a second.
      "--tidemark.access.control-requests-per-minute=100000",
      // Quotas that nobody reaches, unless a test sets others for a tenant of its own.
      "--tidemark.quota.requests-per-second=2000000000",
      "--tidemark.quota.bytes-per-second=2000000000B",
      "--tidemark.quota.points-per-second=2000000000",
      // Written when a test says so.
      "--tidemark.access.auth-failure-report-interval=1d",
      // Receivers of webhooks are on this machine, and are found again soon.
      "--tidemark.notification.allowed-addresses=127.0.0.0/8",
      "--tidemark.notification.period=20ms",
      "--tidemark.notification.heartbeat-period=50ms",
      "--tidemark.alerting.suppression-period=50ms",
      "--tidemark.notification.timeout=2s",
      "--tidemark.outbox.period=20ms",
      "--tidemark.outbox.census-period=100ms",
      "--tidemark.access.bootstrap.self-key=" + SELF_KEY,
      "--tidemark.access.bootstrap.demo-key=" + DEMO_KEY,
      "--tidemark.access.bootstrap.extra-keys=org-extra=" + EXTRA_KEY + keysOfQuotaTenants(),
      "--tidemark.sign-in.secret=a secret of at least 32 characters",
      "--tidemark.scrape.address=127.0.0.1",
      "--tidemark.scrape.port=0",
      "--logging.file.name=" + log,
      "--logging.level.org.apache.kafka=off"
    };
  }

  private TenantQuotas ownQuotas() {
    return (TenantQuotas) application.getBean("tenantQuotas");
  }

  /** One tenant for each test of quotas, so that none finds a quota used up. */
  private static String keysOfQuotaTenants() {
    StringBuilder keys = new StringBuilder();
    for (char letter : "QR234567".toCharArray()) {
      char small = Character.toLowerCase(letter);
      keys.append(",org-quota-").append(small).append('=');
      keys.append(TestingKeys.key("env-quota-" + small, letter));
    }
    return keys.toString();
  }

  private static Path newLog() {
    try {
      return Files.createTempDirectory("tidemark-test").resolve("platform-api.log");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** What the application has written to its log. */
  public Path log() {
    return log;
  }

  /** A bean of the application. */
  public <T> T bean(Class<T> type) {
    return application.getBean(type);
  }

  /** All beans of a kind. */
  public <T> Collection<T> beans(Class<T> type) {
    return application.getBeansOfType(type).values();
  }

  /** The application's database as the superuser sees it: the rows of all organisations. */
  public JdbcClient database() {
    return database.asSuperuser("tidemark");
  }

  /** The server that the application's database is on. */
  public TestingDatabase server() {
    return database;
  }

  /** Who brings invitations to people; by hand unless a test sets somebody else. */
  public void invitationSender(InvitationSender by) {
    sending.set(by);
  }

  /** Who sends mail to people; nobody unless a test sets somebody. */
  public void mailSender(MailSender by) {
    mail.set(by);
  }

  private MailSender mailOfTests() {
    return new MailSender() {
      @Override
      public boolean isAvailable() {
        return mail.get().isAvailable();
      }

      @Override
      public boolean send(String to, String subject, String text) {
        return mail.get().send(to, subject, text);
      }
    };
  }

  /** Stands for the points topic. */
  public TestingPointsTopic topic() {
    return topic;
  }

  /** Stands for the control topics. */
  public TestingControlTopics controlTopics() {
    return controlTopics;
  }

  /** What tenants may send. */
  public TestingQuotas quotas() {
    return quotas;
  }

  /** Stands for what the pipeline says. */
  public TestingProgress progress() {
    return progress;
  }

  /** Stands for Druid's rows, as far as they are removed. */
  public TestingDeletableRows deletableRows() {
    return deletableRows;
  }

  /** Stands for Druid. */
  public TestingDruid druid() {
    return druid;
  }

  /** An address on the port of the APIs. */
  public URI api(String path) {
    return URI.create(
        "http://127.0.0.1:"
            + application.getEnvironment().getRequiredProperty("local.server.port")
            + path);
  }

  /** The same as a browser reaches it. */
  public URI page(String path) {
    return URI.create(
        "http://localhost:"
            + application.getEnvironment().getRequiredProperty("local.server.port")
            + path);
  }

  /** An address on the port of OTLP/HTTP. */
  public URI otlp(String path) {
    return URI.create(
        "http://127.0.0.1:" + application.getBean(OtlpHttpPort.class).number() + path);
  }

  /** A connection to OTLP/gRPC; the caller closes it. */
  public ManagedChannel grpc() {
    return NettyChannelBuilder.forAddress(
            "127.0.0.1", application.getBean(OtlpGrpcServer.class).port())
        .usePlaintext()
        .build();
  }

  /** The port of a door: api, otlp-http, otlp-grpc or kafka. */
  public int port(String door) {
    return switch (door) {
      case "api" -> api("/").getPort();
      case "otlp-http" -> application.getBean(OtlpHttpPort.class).number();
      case "otlp-grpc" -> application.getBean(OtlpGrpcServer.class).port();
      case "kafka" -> application.getBean(KafkaListenerServer.class).port();
      default -> throw new IllegalArgumentException("There is no door " + door);
    };
  }

  @Override
  public void close() throws IOException {
    application.close();
    druid.close();
    if (ownsDatabase) {
      database.close();
    }
    // Processes of one machine write to the first one's log.
    Files.deleteIfExists(log);
    Files.delete(log.getParent());
  }

  /** Gives test classes the one running platform. */
  public static final class Extension implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == RunningPlatform.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      // Processes that share the tests are given one class at a time, each with a root of its own.
      return context
          .getStore(
              ExtensionContext.StoreScope.LAUNCHER_SESSION,
              ExtensionContext.Namespace.create(RunningPlatform.class))
          .computeIfAbsent(RunningPlatform.class, type -> with(Map.of()), RunningPlatform.class);
    }
  }
}
