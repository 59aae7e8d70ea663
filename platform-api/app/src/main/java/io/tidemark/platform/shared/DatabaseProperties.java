package io.tidemark.platform.shared;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** Where the control plane keeps its data. */
@ConfigurationProperties("tidemark.postgres")
record DatabaseProperties(String url, String user, String password) implements CheckedSettings {

  @Override
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    if (url == null || !url.startsWith("jdbc:postgresql://")) {
      faults.add("TIDEMARK_POSTGRES_URL must be set, in the form jdbc:postgresql://host:port/name");
    }
    if (user == null || user.isBlank()) {
      faults.add("TIDEMARK_POSTGRES_USER must be set to the database role of the control plane");
    }
    return faults;
  }

  @Override
  public String toString() {
    return "DatabaseProperties[url=" + url + ", user=" + user + "]";
  }
}
