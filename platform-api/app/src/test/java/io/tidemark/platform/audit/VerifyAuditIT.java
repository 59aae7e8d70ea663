package io.tidemark.platform.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.platform.testing.ControlApi;
import io.tidemark.platform.testing.RunningPlatform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The command that whoever runs Tidemark verifies all logs with. */
@ExtendWith(RunningPlatform.Extension.class)
class VerifyAuditIT {

  private final RunningPlatform platform;

  VerifyAuditIT(RunningPlatform platform) {
    this.platform = platform;
  }

  private record Verdict(int exit, String text) {}

  private Verdict verify() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int exit =
        VerifyAuditCommand.run(
            new PrintStream(out, true, UTF_8),
            "--tidemark.postgres.url=" + platform.server().url("tidemark"),
            "--tidemark.postgres.application-password=application");
    return new Verdict(exit, out.toString(UTF_8));
  }

  @Test
  void intactLogsAreNamedAndTheFirstBrokenLinkIsToo() {
    ControlApi extra = new ControlApi(platform, "org-extra", RunningPlatform.EXTRA_KEY);
    for (int i = 0; i < 3; i++) {
      extra.post("/environments", "{}");
    }
    Verdict intact = verify();
    assertThat(intact.exit()).as(intact.text()).isEqualTo(VerifyAuditCommand.INTACT);
    assertThat(intact.text()).contains("org-demo: intact", "org-extra: intact", " 0 broken");

    JdbcClient superuser = platform.database();
    superuser.sql("ALTER TABLE audit_entry DISABLE TRIGGER USER").update();
    String tamper =
        """
        UPDATE audit_entry SET action = action || :more
        WHERE organization_id = 'org-extra' AND sequence = 2
        """;
    superuser.sql(tamper).param("more", "x").update();
    try {
      Verdict broken = verify();
      assertThat(broken.exit()).isEqualTo(VerifyAuditCommand.BROKEN);
      assertThat(broken.text())
          .contains("org-demo: intact", " 1 broken")
          .contains("org-extra: BROKEN: Entry 2 was changed");
    } finally {
      superuser
          .sql(
              """
              UPDATE audit_entry SET action = left(action, -1)
              WHERE organization_id = 'org-extra' AND sequence = 2
              """)
          .update();
      superuser.sql("ALTER TABLE audit_entry ENABLE TRIGGER USER").update();
    }
    assertThat(verify().exit()).isEqualTo(VerifyAuditCommand.INTACT);
  }
}
