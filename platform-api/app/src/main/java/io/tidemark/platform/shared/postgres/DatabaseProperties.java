package io.tidemark.platform.shared.postgres;

import io.tidemark.platform.shared.ValidatedSettings;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the control plane keeps its data.
 *
 * @param url JDBC address of the database
 * @param user owner of the schema, used for migrations only
 * @param password of the owner
 * @param applicationPassword of the role that everything but migrations runs as
 */
@ConfigurationProperties("tidemark.postgres")
record DatabaseProperties(
    String url, String user, String password, @DefaultValue("") String applicationPassword)
    implements ValidatedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (url == null || !url.startsWith("jdbc:postgresql://")) {
      faults.add("TIDEMARK_POSTGRES_URL must be set, in the form jdbc:postgresql://host:port/name");
    }
    if (user == null || user.isBlank()) {
      faults.add("TIDEMARK_POSTGRES_USER must be set to the database role that owns the schema");
    } else if (user.equals(ApplicationRole.NAME)) {
      faults.add(
          "TIDEMARK_POSTGRES_USER must be the owner of the schema, not "
              + ApplicationRole.NAME
              + ", which must own nothing");
    }
    if (applicationPassword.isBlank()) {
      faults.add(
          "TIDEMARK_POSTGRES_APPLICATION_PASSWORD must be set to the password that the role "
              + ApplicationRole.NAME
              + " has or is to have");
    }
    return faults;
  }

  @Override
  public String toString() {
    return "DatabaseProperties[url=" + url + ", user=" + user + "]";
  }
}
