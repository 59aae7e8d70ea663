package io.tidemark.platform.alerting;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of columns: records by their components alone. */
final class StoredJson {

  static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultVisibility(visible -> visible.withIsGetterVisibility(Visibility.NONE))
          .build();

  static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};

  private StoredJson() {}
}
