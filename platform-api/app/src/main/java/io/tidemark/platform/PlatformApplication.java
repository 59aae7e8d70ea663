package io.tidemark.platform;

import io.tidemark.platform.audit.VerifyAuditCommand;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The one deployable of the control plane: ingest gateway, Metrics API, tenants and keys. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PlatformApplication {

  /**
   * Starts the application; settings come from the environment, see application.yaml. With the
   * argument {@code verify-audit} it verifies the audit logs instead.
   */
  public static void main(String[] args) {
    if (args.length > 0 && args[0].equals(VerifyAuditCommand.NAME)) {
      System.exit(VerifyAuditCommand.run(System.out, Arrays.copyOfRange(args, 1, args.length)));
    }
    SpringApplication.run(PlatformApplication.class, args);
  }
}
