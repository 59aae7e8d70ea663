package io.tidemark.stack.engine;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.provision.ClientCertificate;
import io.tidemark.provision.EngineAccess;
import io.tidemark.provision.StackSecrets;
import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.Link;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the engines of a stack know each other: not at all, or by certificates and passwords; and
 * whether its public doors are encrypted. Files with passwords can be read by their owner only.
 */
public final class Security {
  /** Users of the broker beside itself and provisioning: {@code infra/kafka/users.yaml}. */
  private static final List<String> JOBS = List.of("rollup", "lake", "alert", "usage");

  static final List<String> USERS =
      List.of("platform-api", "rollup", "lake", "alert", "usage", "druid", "replay");

  /** Who writes topics and rights: a super user of the broker. */
  static final String PROVISION = "provision";

  private static final String DRUID_CREDENTIALS = "TIDEMARK_DRUID_KAFKA_CREDENTIALS";

  private final StackSettings settings;
  private final StackIdentity identity;
  private final Certificates certificates;
  private @Nullable JsonHttp http;

  Security(StackSettings settings, StackIdentity identity) {
    this.settings = settings;
    this.identity = identity;
    this.certificates = new Certificates(settings, identity);
  }

  /** Writes certificates and client settings, if the stack has them. */
  public static void prepare(StackSettings settings, StackIdentity identity, Instant now)
      throws IOException, InterruptedException, GeneralSecurityException {
    Security security = new Security(settings, identity);
    if (!security.isOn()) {
      return;
    }
    Certificates.make(settings, identity, now);
    Folders.create(security.clients());
    for (String user : USERS) {
      security.writeClient(user);
    }
    security.writeClient(PROVISION);
    ObjectNode druid = JsonHttp.JSON.createObjectNode();
    security
        .kafkaClient("druid")
        .forEach(
            (name, value) -> {
              if (!name.equals("sasl.jaas.config")) {
                druid.put(name, value);
              }
            });
    // The password stays out of Druid's metadata: tasks find it in their environment.
    druid
        .putObject("druid.dynamic.config.provider")
        .put("type", "environment")
        .putObject("variables")
        .put("sasl.jaas.config", DRUID_CREDENTIALS);
    Folders.writePrivate(security.druidClient(), druid.toString());
  }

  /**
   * Makes the certificates of all engines anew; the next {@code up} brings them into force.
   *
   * @throws StackFailure for a stack that has none
   */
  public static void renewCertificates(StackSettings settings, StackIdentity identity, Instant now)
      throws IOException, InterruptedException, GeneralSecurityException {
    if (!new Security(settings, identity).isOn()) {
      throw new StackFailure(
          "This stack has no certificates to renew: it runs without TIDEMARK_SECURITY=tls.");
    }
    Certificates.renew(settings, identity, now);
  }

  boolean isOn() {
    return settings.security() == StackSettings.Security.TLS;
  }

  Certificates certificates() {
    return certificates;
  }

  /** {@code http} or {@code https}, and an address, of Druid, Flink or a public door. */
  String url(String port) {
    return scheme() + settings.ports().address(port);
  }

  /** The same, as the client of a link reaches it. */
  String url(Link link) {
    return scheme() + settings.address(link);
  }

  private String scheme() {
    return settings.scheme();
  }

  /**
   * A client of Druid, Flink and the public doors; certificates are read when it is first asked
   * for.
   */
  synchronized JsonHttp http() {
    if (http == null) {
      http = new JsonHttp(access().encryption());
    }
    return http;
  }

  /** What provisioning shows to engines. */
  public static EngineAccess access(StackSettings settings, StackIdentity identity) {
    return new Security(settings, identity).access();
  }

  EngineAccess access() {
    if (!isOn()) {
      return EngineAccess.OPEN;
    }
    return new EngineAccess(
        Optional.of(client(PROVISION)),
        true,
        Optional.of(clients().toString()),
        Optional.of(druidClient()),
        Optional.of(
            new ClientCertificate(
                certificates.certificate("lifecycle"),
                certificates.privateKey("lifecycle"),
                certificates.trusted("lifecycle"))));
  }

  private Path clients() {
    return settings.home().resolve("certificates/kafka-clients");
  }

  /** Client settings of one user of the broker. */
  Path client(String user) {
    return clients().resolve(user + ".properties");
  }

  /** As {@link #client}, of those that are jobs. */
  List<Path> jobClients() {
    return JOBS.stream().map(this::client).toList();
  }

  private Path druidClient() {
    return clients().resolve("druid.json");
  }

  private void writeClient(String user) throws IOException {
    StringBuilder text = new StringBuilder();
    kafkaClient(user)
        .forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    if (!Files.exists(client(user)) || !Files.readString(client(user)).contentEquals(text)) {
      Folders.writePrivate(client(user), text.toString());
    }
  }

  private Map<String, String> kafkaClient(String user) {
    Map<String, String> client = new LinkedHashMap<>();
    client.put("security.protocol", "SASL_SSL");
    client.put("sasl.mechanism", "PLAIN");
    client.put("sasl.jaas.config", credentials(user));
    client.put("ssl.truststore.type", "PEM");
    client.put("ssl.truststore.location", certificates.authority("kafka").toString());
    return client;
  }

  private String credentials(String user) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
        .formatted(user, password(user));
  }

  /**
   * Clients say who they are by a password, controllers by their certificate; who has no right is
   * refused.
   *
   * @param listeners names of those for clients and brokers
   */
  Properties kafka(List<String> listeners) {
    Properties guarded = new Properties();
    guarded.setProperty(
        "listener.security.protocol.map",
        listeners.stream()
            .map(name -> "," + name + ":SASL_SSL")
            .collect(Collectors.joining("", "CONTROLLER:SSL", "")));
    guarded.setProperty("ssl.keystore.type", "PKCS12");
    guarded.setProperty("ssl.keystore.location", certificates.keyStore("kafka").toString());
    guarded.setProperty("ssl.keystore.password", certificates.password());
    guarded.setProperty("ssl.key.password", certificates.password());
    guarded.setProperty("ssl.truststore.type", "PKCS12");
    guarded.setProperty("ssl.truststore.location", certificates.trustStore("kafka").toString());
    guarded.setProperty("ssl.truststore.password", certificates.password());
    guarded.setProperty("listener.name.controller.ssl.client.auth", "required");
    guarded.setProperty("sasl.enabled.mechanisms", "PLAIN");
    guarded.setProperty("sasl.mechanism.inter.broker.protocol", "PLAIN");
    StringBuilder users =
        new StringBuilder("org.apache.kafka.common.security.plain.PlainLoginModule required")
            .append(" username=\"broker\" password=\"")
            .append(password("broker"))
            .append('"');
    List<String> known = new ArrayList<>(USERS);
    known.addAll(List.of("broker", PROVISION));
    for (String user : known) {
      users.append(" user_").append(user).append("=\"").append(password(user)).append('"');
    }
    String all = users.append(';').toString();
    for (String name : listeners) {
      guarded.setProperty(
          "listener.name." + name.toLowerCase(Locale.ROOT) + ".plain.sasl.jaas.config", all);
    }
    guarded.setProperty(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    guarded.setProperty("allow.everyone.if.no.acl.found", "false");
    guarded.setProperty("super.users", "User:broker;User:CN=kafka,O=Tidemark;User:" + PROVISION);
    return guarded;
  }

  /** What platform-api shows at its public doors; it looks itself whether the files change. */
  Map<String, Path> doors() {
    return isOn()
        ? Map.of(
            "TIDEMARK_TLS_CERTIFICATE", certificates.certificate("doors"),
            "TIDEMARK_TLS_PRIVATE_KEY", certificates.privateKey("doors"))
        : Map.of();
  }

  /** What OpenTelemetry's agents need in their environment to take the stack's own door. */
  Map<String, String> telemetryEnvironment() {
    return isOn()
        ? Map.of("OTEL_EXPORTER_OTLP_CERTIFICATE", certificates.authority("doors").toString())
        : Map.of();
  }

  /**
   * Of a Druid process: every request needs a certificate that {@code Certificates} names, and so
   * does every answer. Passwords come by the environment.
   */
  Map<String, Object> druid(int port) {
    String password = "{\"type\":\"environment\",\"variable\":\"TIDEMARK_KEYSTORE_PASSWORD\"}";
    Map<String, Object> guarded = new LinkedHashMap<>();
    guarded.put("druid.enablePlaintextPort", false);
    guarded.put("druid.enableTlsPort", true);
    guarded.put("druid.tlsPort", port);
    guarded.put("druid.server.https.requireClientCertificate", true);
    guarded.put("druid.server.https.reloadSslContext", true);
    guarded.put("druid.server.https.reloadSslContextSeconds", 10);
    for (String side : List.of("server", "client")) {
      String settings = "druid." + side + ".https.";
      guarded.put(settings + "keyStorePath", certificates.keyStore("druid"));
      guarded.put(settings + "keyStoreType", "PKCS12");
      guarded.put(settings + "certAlias", "druid");
      guarded.put(settings + "keyStorePassword", password);
      guarded.put(settings + "keyManagerPassword", password);
      guarded.put(settings + "trustStorePath", certificates.trustStore("druid"));
      guarded.put(settings + "trustStoreType", "PKCS12");
      guarded.put(settings + "trustStorePassword", password);
      // Of a caller whose certificate is named one by one, the name says nothing more.
      guarded.put(settings + "validateHostnames", side.equals("client"));
    }
    guarded.put("druid.client.https.protocol", "TLSv1.3");
    return guarded;
  }

  /** Of a user of the broker. */
  String password(String user) {
    return identity.get(StackSecrets.kafkaPassword(user));
  }

  /** What the replay command needs: it reads Kafka as a user, and asks Druid as the lifecycle. */
  Map<String, String> replayEnvironment() {
    if (!isOn()) {
      return Map.of();
    }
    String stores =
        List.of(
                "-Djavax.net.ssl.keyStore=" + certificates.keyStore("lifecycle"),
                "-Djavax.net.ssl.keyStoreType=PKCS12",
                "-Djavax.net.ssl.keyStorePassword=" + certificates.password(),
                "-Djavax.net.ssl.trustStore=" + certificates.trustStore("lifecycle"),
                "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=" + certificates.password())
            .stream()
            .collect(Collectors.joining(" "));
    // By the environment: command lines can be read by everybody on the machine.
    return Map.of("JDK_JAVA_OPTIONS", stores, "TIDEMARK_KAFKA_CLIENT", client("replay").toString());
  }

  /** What Druid's tasks need in their environment to read from Kafka. */
  Map<String, String> druidEnvironment() {
    return isOn()
        ? Map.of(
            DRUID_CREDENTIALS,
            credentials("druid"),
            "TIDEMARK_KEYSTORE_PASSWORD",
            certificates.password())
        : Map.of();
  }
}
