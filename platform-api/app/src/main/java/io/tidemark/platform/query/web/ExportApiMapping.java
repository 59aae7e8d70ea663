package io.tidemark.platform.query.web;

import io.tidemark.contracts.metrics.model.TargetGroup;
import io.tidemark.platform.metricstore.SeriesStore.ResourceFilter;
import io.tidemark.platform.query.application.MetricExporter.Wish;
import io.tidemark.platform.query.domain.ExportText;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Parameters and forms of exports. */
final class ExportApiMapping {

  private static final Pattern RESOURCE = Pattern.compile("resource[._](.+)[._]id");
  private static final MediaType PROMETHEUS =
      MediaType.parseMediaType("text/plain;version=0.0.4;charset=utf-8");
  private static final MediaType OPENMETRICS =
      MediaType.parseMediaType("application/openmetrics-text;version=1.0.0;charset=utf-8");

  private ExportApiMapping() {}

  /** What the caller can read. */
  record Negotiated(ExportText.Form form, MediaType mediaType) {}

  static Wish wish(Map<String, String[]> parameters, List<String> metrics) {
    Map<String, Set<String>> resources = new TreeMap<>();
    parameters.forEach(
        (name, values) -> {
          Matcher resource = RESOURCE.matcher(name);
          if (resource.matches()) {
            for (String value : values) {
              Arrays.stream(value.split(","))
                  .map(String::strip)
                  .filter(id -> !id.isEmpty())
                  .forEach(
                      id ->
                          resources
                              .computeIfAbsent(resource.group(1), ignored -> new TreeSet<>())
                              .add(id));
            }
          }
        });
    return new Wish(resources, Set.copyOf(new TreeSet<>(metrics)));
  }

  /** The preferred of the two; text when neither is named. */
  static Negotiated negotiated(String accept) {
    double openMetrics = 0;
    double prometheus = 0;
    try {
      for (MediaType type : MediaType.parseMediaTypes(accept)) {
        if (type.getSubtype().equals("openmetrics-text")) {
          openMetrics = Math.max(openMetrics, type.getQualityValue());
        } else if (type.includes(MediaType.TEXT_PLAIN)) {
          prometheus = Math.max(prometheus, type.getQualityValue());
        }
      }
    } catch (InvalidMediaTypeException unreadable) {
      // Whoever cannot say what they read gets text.
    }
    return openMetrics > prometheus
        ? new Negotiated(ExportText.Form.OPENMETRICS, OPENMETRICS)
        : new Negotiated(ExportText.Form.PROMETHEUS, PROMETHEUS);
  }

  static ResourceFilter filter(
      @Nullable List<String> environment,
      @Nullable List<String> kafkaId,
      @Nullable List<String> resourceType) {
    return new ResourceFilter(
        single("env", "environment ID", environment),
        single("associated_kafka_id", "Kafka cluster ID", kafkaId),
        single("resource_type", "resource type", resourceType));
  }

  private static Optional<String> single(
      String parameter, String what, @Nullable List<String> values) {
    if (values == null || values.isEmpty()) {
      return Optional.empty();
    }
    if (values.size() > 1) {
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY,
          parameter + ": only one " + what + " can be specified per request.");
    }
    return Optional.of(values.get(0));
  }

  static List<TargetGroup> targets(
      HttpServletRequest request, String dataset, Map<String, Set<String>> resources) {
    String host = request.getHeader("Host");
    return resources.entrySet().stream()
        .map(
            entry -> {
              Map<String, String> labels = new LinkedHashMap<>();
              labels.put("__scheme__", request.getScheme());
              labels.put("__metrics_path__", "/v2/metrics/" + dataset + "/export");
              labels.put(
                  "__param_resource_" + ExportText.labelName(entry.getKey()) + "_id",
                  String.join(",", entry.getValue()));
              return new TargetGroup(List.of(host == null ? "localhost" : host), labels);
            })
        .toList();
  }
}
