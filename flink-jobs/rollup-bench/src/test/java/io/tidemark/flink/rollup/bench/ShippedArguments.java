package io.tidemark.flink.rollup.bench;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** The rollup job's arguments of infra/flink/jobs.yaml, with topics of one run. */
final class ShippedArguments {

  private static final List<String> LEVELS =
      List.of("rollup-1m.topic", "rollup-1h.topic", "rollup-1d.topic");

  private ShippedArguments() {}

  /** Names of all topics besides the points topic; minutes, hours and days first. */
  static List<String> topics(String outputs) {
    List<String> names = new ArrayList<>(LEVELS);
    for (String name : shipped().keySet()) {
      if (name.endsWith(".topic") && !name.equals("points.topic") && !names.contains(name)) {
        names.add(name);
      }
    }
    return names.stream().map(name -> topic(outputs, name)).toList();
  }

  static Map<String, String> of(RunOrder order) {
    Map<String, String> arguments = new LinkedHashMap<>();
    shipped()
        .forEach(
            (name, value) ->
                arguments.put(
                    name, name.endsWith(".topic") ? topic(order.outputs(), name) : value));
    arguments.put("kafka.bootstrap.servers", order.bootstrapServers());
    arguments.put("points.topic", order.topic());
    arguments.put("transactional-id-prefix", order.outputs());
    return arguments;
  }

  private static String topic(String outputs, String argument) {
    return outputs + "-" + argument.substring(0, argument.length() - ".topic".length());
  }

  private static Map<String, String> shipped() {
    Path file = Path.of(System.getProperty("bench.root", "../..")).resolve("infra/flink/jobs.yaml");
    try (Reader text = Files.newBufferedReader(file)) {
      Map<String, Object> jobs = new Yaml().load(text);
      for (Object job : (List<?>) jobs.get("jobs")) {
        Map<?, ?> members = (Map<?, ?>) job;
        if ("rollup".equals(members.get("name"))) {
          Map<String, String> arguments = new LinkedHashMap<>();
          ((Map<?, ?>) members.get("arguments"))
              .forEach((name, value) -> arguments.put(name.toString(), value.toString()));
          return arguments;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(file + " names no job rollup");
  }
}
