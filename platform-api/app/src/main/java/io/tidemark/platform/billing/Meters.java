package io.tidemark.platform.billing;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.Yaml;

/** What is metered, as {@code contracts/vocabulary/meters.yaml}. */
@Component
public class Meters {

  /** A meter of the vocabulary. */
  public record Meter(String name, String unit, boolean billable) {}

  private final Map<String, Meter> meters = new LinkedHashMap<>();
  private final int version;

  Meters() throws IOException {
    Map<String, Object> file;
    try (InputStream vocabulary =
        new ClassPathResource("vocabulary/meters.yaml").getInputStream()) {
      file = new Yaml().load(vocabulary);
    }
    version = Objects.requireNonNull((Integer) file.get("version"));
    for (Object one : Objects.requireNonNull((List<?>) file.get("meters"))) {
      Map<?, ?> meter = (Map<?, ?>) one;
      String name = Objects.requireNonNull((String) meter.get("name"));
      String unit = Objects.requireNonNull((String) meter.get("unit"));
      boolean isBillable = Objects.requireNonNull((Boolean) meter.get("billable"));
      meters.put(name, new Meter(name, unit, isBillable));
    }
  }

  /** The meter of that name; null without. */
  public @Nullable Meter find(@Nullable String name) {
    return meters.get(name);
  }

  /** Of the vocabulary. */
  int version() {
    return version;
  }

  public List<String> names() {
    return List.copyOf(meters.keySet());
  }

  Set<String> billable() {
    return meters.values().stream()
        .filter(Meter::billable)
        .map(Meter::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}
