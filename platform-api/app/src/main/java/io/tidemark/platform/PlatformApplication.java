package io.tidemark.platform;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The one deployable of the control plane: ingest gateway, Metrics API, tenants and keys. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PlatformApplication {

  /** Starts the application; settings come from the environment, see application.yaml. */
  public static void main(String[] args) {
    SpringApplication.run(PlatformApplication.class, args);
  }
}
