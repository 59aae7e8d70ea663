package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.Yaml;

/** What each error code means and what to do next, as {@code contracts/vocabulary/errors.yaml}. */
@Component
class ErrorVocabulary {

  /** The two sentences of a code. */
  record Explanation(String meaning, String nextStep) {}

  private final Map<ErrorCode, Explanation> explanations = new EnumMap<>(ErrorCode.class);

  ErrorVocabulary() throws IOException {
    Map<String, List<Map<String, Object>>> file;
    try (InputStream vocabulary =
        new ClassPathResource("vocabulary/errors.yaml").getInputStream()) {
      file = new Yaml().load(vocabulary);
    }
    for (Map<String, Object> error : Objects.requireNonNull(file.get("errors"))) {
      explanations.put(
          ErrorCode.valueOf(text(error, "code").toUpperCase(java.util.Locale.ROOT)),
          new Explanation(text(error, "meaning"), text(error, "next_step")));
    }
  }

  Explanation of(ErrorCode code) {
    return Objects.requireNonNull(explanations.get(code));
  }

  private static String text(Map<String, Object> error, String field) {
    return Objects.requireNonNull((String) error.get(field), field);
  }
}
