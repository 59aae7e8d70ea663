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

/** Arguments of jobs of infra/flink/jobs.yaml, with topics of one run. */
final class ShippedArguments {

  static final String ROLLUP = "rollup";
  static final String USAGE = "usage";

  private static final List<String> LEVELS =
      List.of("rollup-1m.topic", "rollup-1h.topic", "rollup-1d.topic");

  private ShippedArguments() {}

  /** Names of all topics of the rollup job besides the points topic; minutes, hours, days first. */
  static List<String> topics(String outputs) {
    List<String> names = new ArrayList<>(LEVELS);
    for (String name : shipped(ROLLUP).keySet()) {
      if (name.endsWith(".topic") && !name.equals("points.topic") && !names.contains(name)) {
        names.add(name);
      }
    }
    return names.stream().map(name -> topic(outputs, name)).toList();
  }

  /** A topic of a run has one name for all jobs, so one may read what another wrote. */
  static Map<String, String> of(String job, RunOrder order) {
    Map<String, String> arguments = new LinkedHashMap<>();
    shipped(job)
        .forEach(
            (name, value) ->
                arguments.put(
                    name, name.endsWith(".topic") ? topic(order.outputs(), name) : value));
    arguments.put("kafka.bootstrap.servers", order.bootstrapServers());
    arguments.replace("points.topic", order.topic());
    arguments.put("transactional-id-prefix", order.outputs());
    return arguments;
  }

  /** As on a command line. */
  static String[] words(Map<String, String> arguments) {
    List<String> words = new ArrayList<>();
    arguments.forEach(
        (name, value) -> {
          words.add("--" + name);
          words.add(value);
        });
    return words.toArray(String[]::new);
  }

  private static String topic(String outputs, String argument) {
    return outputs + "-" + argument.substring(0, argument.length() - ".topic".length());
  }

  private static Map<String, String> shipped(String name) {
    Path file = Path.of(System.getProperty("bench.root", "../..")).resolve("infra/flink/jobs.yaml");
    try (Reader text = Files.newBufferedReader(file)) {
      Map<String, Object> jobs = new Yaml().load(text);
      for (Object job : (List<?>) jobs.get("jobs")) {
        Map<?, ?> members = (Map<?, ?>) job;
        if (name.equals(members.get("name"))) {
          Map<String, String> arguments = new LinkedHashMap<>();
          ((Map<?, ?>) members.get("arguments"))
              .forEach((key, value) -> arguments.put(key.toString(), value.toString()));
          return arguments;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(file + " names no job " + name);
  }
}
