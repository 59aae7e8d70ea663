package io.tidemark.platform.audit;

import io.tidemark.platform.shared.TenantId;
import java.io.PrintStream;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;

/**
 * {@code java -jar platform-api.jar verify-audit}: reads the logs of all organisations from the
 * database and recomputes every hash, beside or without a running application. Needs its {@code
 * TIDEMARK_POSTGRES_URL} and {@code TIDEMARK_POSTGRES_APPLICATION_PASSWORD}, and changes nothing.
 */
public final class VerifyAuditCommand {

  public static final String NAME = "verify-audit";

  /** All logs are intact. */
  public static final int INTACT = 0;

  /** A log is not. */
  public static final int BROKEN = 1;

  private VerifyAuditCommand() {}

  /** What of the application it takes; beans that nothing asks for are not made. */
  @EnableAutoConfiguration
  @ComponentScan(
      lazyInit = true,
      basePackages = {"io.tidemark.platform.audit", "io.tidemark.platform.shared"})
  static class AuditReader {}

  /**
   * Verifies, and prints a line for each log.
   *
   * @param properties further settings, {@code --name=value}
   * @return {@link #INTACT} or {@link #BROKEN}
   */
  public static int run(PrintStream out, String... properties) {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(AuditReader.class)
            .web(WebApplicationType.NONE)
            .lazyInitialization(true)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .properties(
                "spring.flyway.enabled=false",
                // Parts of the application that this is without.
                "management.endpoint.health.validate-group-membership=false",
                "logging.level.root=warn")
            .run(properties)) {
      AuditLog log = context.getBean(AuditLog.class);
      List<TenantId> organizations = context.getBean(CrossTenantAuditLogs.class).organizations();
      int broken = 0;
      for (TenantId organization : organizations) {
        AuditVerification found = log.verify(organization, null);
        if (found.faults().isEmpty()) {
          out.printf(
              "%s: intact, %d entries, the last %s%n",
              organization, found.entries(), found.hash() == null ? "-" : found.hash());
        } else {
          broken++;
          out.printf("%s: BROKEN: %s%n", organization, found.faults().get(0));
          found.faults().stream().skip(1).forEach(fault -> out.println("    " + fault));
        }
      }
      out.printf("%d logs, %d broken%n", organizations.size(), broken);
      return broken == 0 ? INTACT : BROKEN;
    }
  }
}
