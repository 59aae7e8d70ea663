package io.tidemark.platform.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.PlatformApplication;
import io.tidemark.platform.testing.ControlApi.Answer;
import io.tidemark.platform.testing.InterruptibleDelay;
import io.tidemark.platform.testing.TestingBrowser;
import io.tidemark.platform.testing.TestingBrowser.Page;
import io.tidemark.platform.testing.TestingDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A real Keycloak vouches for people: {@code make test-keycloak}, which fetches it. The flow is the
 * one of a browser, through both servers.
 */
class KeycloakSignIn {

  private static Process keycloak;
  private static TestingDatabase database;
  private static ConfigurableApplicationContext platform;

  @BeforeAll
  static void start() throws IOException {
    Path home = Path.of(System.getProperty("keycloak"));
    Path realms = Files.createDirectories(home.resolve("data/import"));
    try (InputStream realm =
        KeycloakSignIn.class.getResourceAsStream("/keycloak/tidemark-realm.json")) {
      Files.copy(realm, realms.resolve("tidemark-realm.json"), StandardCopyOption.REPLACE_EXISTING);
    }
    int port = freePort();
    ProcessBuilder start =
        new ProcessBuilder(
            home.resolve("bin/kc.sh").toString(),
            "start-dev",
            "--import-realm",
            "--http-host=127.0.0.1",
            "--http-port=" + port,
            "--http-management-port=" + freePort());
    start.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // kc.sh becomes the server itself.
    keycloak =
        start
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("keycloak.log").toFile())
            .start();
    String issuer = "http://localhost:" + port + "/realms/tidemark";
    InterruptibleDelay.until(
        "Keycloak's discovery document",
        Duration.ofMinutes(4),
        () ->
            java.util.Optional.of(status(URI.create(issuer + "/.well-known/openid-configuration"))),
        status -> status == 200);
    database = new TestingDatabase();
    platform = platform(issuer);
  }

  private static ConfigurableApplicationContext platform(String issuer) {
    SpringApplication application = new SpringApplication(PlatformApplication.class);
    application.setRegisterShutdownHook(false);
    return application.run(
        "--server.port=0",
        "--tidemark.ingest.http-port=0",
        "--tidemark.ingest.grpc-port=0",
        "--tidemark.ingest.kafka=127.0.0.1:1",
        "--tidemark.outbox.kafka=127.0.0.1:1",
        "--tidemark.query.druid=http://127.0.0.1:1",
        "--tidemark.postgres.url=" + database.url("tidemark"),
        "--tidemark.postgres.user=" + TestingDatabase.OWNER,
        "--tidemark.postgres.password=owner",
        "--tidemark.postgres.application-password=application",
        "--tidemark.access.api-key-pepper=a pepper of at least 32 characters",
        "--tidemark.sign-in.provider=external",
        "--tidemark.sign-in.secret=a secret of at least 32 characters",
        "--tidemark.sign-in.first-admin=ada@example.org",
        "--tidemark.sign-in.external.issuer=" + issuer,
        "--tidemark.sign-in.external.client-id=tidemark",
        "--tidemark.sign-in.external.client-secret=known to this test",
        "--logging.level.org.apache.kafka=off");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static int status(URI address) {
    try {
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException notYet) {
      return 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (platform != null) {
      platform.close();
    }
    if (database != null) {
      database.close();
    }
    keycloak.descendants().forEach(ProcessHandle::destroy);
    keycloak.destroy();
  }

  private static TestingBrowser browser() {
    return new TestingBrowser(
        URI.create(
            "http://localhost:"
                + platform.getEnvironment().getRequiredProperty("local.server.port")
                + "/"));
  }

  private static Page signIn(TestingBrowser browser, String user, String password) {
    Page form = browser.open("/auth/sign-in");
    assertThat(form.address().getPath()).isEqualTo("/realms/tidemark/protocol/openid-connect/auth");
    return browser.send(form, "username", user, "password", password);
  }

  @Test
  void aPersonOfKeycloakSignsInCallsTheApiAndSignsOutAtBoth() {
    TestingBrowser ada = browser();
    Page home = signIn(ada, "ada", "ada has a password");
    assertThat(home.address().getPath()).as(home.text()).isIn("/console/", "/account");
    assertThat(home.text()).contains("Ada Harbour", "ada@example.org");
    Answer caller = ada.call("GET", "/api/v1/caller", null);
    assertThat(caller.body().path("person").path("mail_verified").asBoolean()).isTrue();
    assertThat(caller.body().path("organizations").toString())
        .contains("org-self", "organization_admin");
    assertThat(
            ada.change("POST", "/api/v1/organizations", "{\"display_name\":\"Harbour\"}").status())
        .isEqualTo(201);

    Page out = ada.send(home);
    String elsewhere = out.answer().headers().firstValue("Refresh").orElseThrow();
    assertThat(elsewhere).startsWith("0; url=http://localhost:").contains("id_token_hint=");
    Page back = ada.open(elsewhere.substring("0; url=".length()));
    assertThat(back.address().getPath()).as(back.text()).isEqualTo("/auth/signed-out");
    assertThat(ada.call("GET", "/api/v1/caller", null).status()).isEqualTo(401);
    assertThat(ada.open("/auth/sign-in").address().getPath())
        .as("Keycloak asks again")
        .startsWith("/realms/tidemark/");
  }

  @Test
  void anAddressThatKeycloakDoesNotVouchForOpensNoInvitation() {
    TestingBrowser bob = browser();
    assertThat(signIn(bob, "bob", "bob has a password").address().getPath())
        .isIn("/console/", "/account");
    Answer caller = bob.call("GET", "/api/v1/caller", null);
    assertThat(caller.body().path("person").path("mail_verified").asBoolean()).isFalse();
    assertThat(caller.body().path("organizations").size()).isZero();
  }

  @Test
  void aWrongPasswordStaysAtKeycloak() {
    Page again = signIn(browser(), "ada", "wrong");
    assertThat(again.address().getPath()).startsWith("/realms/tidemark/");
  }
}
