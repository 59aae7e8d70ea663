package io.tidemark.platform.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.platform.PlatformApplication;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;

/** A wrong configuration stops the start before anything else happens, with all faults at once. */
class SettingsCheckTest {

  private static InvalidSettingsException startWith(String... settings) {
    SpringApplication application = new SpringApplication(PlatformApplication.class);
    application.setRegisterShutdownHook(false);
    return catchThrowableOfType(
        InvalidSettingsException.class, () -> application.run(settings).close());
  }

  @Test
  void allFaultsOfAllModulesAreListed() {
    InvalidSettingsException failure = startWith("--tidemark.ingest.http-port=70000");
    assertThat(failure.faults())
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_POSTGRES_URL "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_POSTGRES_USER "))
        .anySatisfy(
            fault -> assertThat(fault).startsWith("TIDEMARK_POSTGRES_APPLICATION_PASSWORD "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_API_KEY_PEPPER "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_KAFKA "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_OTLP_HTTP_PORT "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_DRUID "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_SIGN_IN_SECRET "))
        .hasSize(8);
  }

  @Test
  void settingsOfTheWrongTypeAreFaultsToo() {
    assertThat(startWith("--tidemark.ingest.grpc-port=many").faults())
        .anySatisfy(fault -> assertThat(fault).contains("grpc-port"));
  }

  @Test
  void aWrongTypeHidesNoOtherFaultOfItsModule() {
    assertThat(
            startWith(
                    "--TIDEMARK_OTLP_GRPC_PORT=many",
                    "--tidemark.ingest.http-port=some",
                    "--tidemark.ingest.max-body=17MB",
                    "--SERVER_PORT=80000",
                    "--TIDEMARK_SIGN_IN=perhaps",
                    "--tidemark.sign-in.idle-time=soon")
                .faults())
        .contains(
            "TIDEMARK_OTLP_GRPC_PORT cannot be read as int",
            "SERVER_PORT must be a port, 0 to 65535",
            "TIDEMARK_SIGN_IN cannot be read as Provider")
        .anySatisfy(fault -> assertThat(fault).startsWith("tidemark.ingest.http-port "))
        .anySatisfy(fault -> assertThat(fault).startsWith("tidemark.ingest.max-body "))
        .anySatisfy(fault -> assertThat(fault).startsWith("tidemark.sign-in.idle-time "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_SIGN_IN_SECRET "));
  }

  @Test
  void anotherProviderNeedsItsSettingsAndSessionsAnAddressThatKeepsThem() {
    assertThat(
            startWith(
                    "--tidemark.sign-in.provider=external",
                    "--tidemark.sign-in.public-url=http://tidemark.example",
                    "--tidemark.sign-in.external.scopes=profile")
                .faults())
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_OIDC_ISSUER "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_OIDC_CLIENT_ID "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_OIDC_CLIENT_SECRET "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_OIDC_SCOPES "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_PUBLIC_URL "));
  }

  @Test
  void aMailServerNeedsASenderAndNoPasswordGoesInTheOpen() {
    assertThat(
            startWith(
                    "--tidemark.mail.host=mail.example",
                    "--tidemark.mail.user=tidemark",
                    "--tidemark.mail.password=hidden",
                    "--tidemark.mail.encryption=none")
                .faults())
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_MAIL_FROM "))
        .anySatisfy(fault -> assertThat(fault).startsWith("TIDEMARK_SMTP_ENCRYPTION "));
  }

  @Test
  void faultsNeverShowSecrets() {
    InvalidSettingsException failure =
        startWith(
            "--tidemark.access.api-key-pepper=short-secret",
            "--tidemark.access.bootstrap.demo-key=tdm_wrong-key",
            "--tidemark.access.bootstrap.extra-keys=org-a=tdm_other-key");
    assertThat(failure)
        .hasMessageContaining("TIDEMARK_API_KEY_PEPPER")
        .hasMessageContaining("TIDEMARK_BOOTSTRAP_DEMO_KEY")
        .hasMessageContaining("TIDEMARK_BOOTSTRAP_EXTRA_KEYS: entry 1")
        .hasMessageNotContainingAny("short-secret", "wrong-key", "other-key");
  }
}
