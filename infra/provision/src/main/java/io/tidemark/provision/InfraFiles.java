package io.tidemark.provision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the files of {@code infra/}, which declare a cluster. A file that is missing, or that is
 * not JSON or YAML, is a {@link ProvisionFailure} with its path and line.
 *
 * @param root checkout, or the folder of an image that has {@code infra/} as a checkout has it
 */
record InfraFiles(Path root) {
  private static final YAMLMapper YAML = new YAMLMapper();

  Path path(String file) {
    return root.resolve("infra").resolve(file);
  }

  boolean has(String file) {
    return Files.exists(path(file));
  }

  String text(String file) {
    try {
      return Files.readString(path(file));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  JsonNode json(String file) {
    return json(file, text(file));
  }

  /** Parses what was made from the text of a file. */
  JsonNode json(String file, String text) {
    return parse(EngineClient.JSON, file, text);
  }

  /** The elements of the list that a YAML file has under one key. */
  JsonNode yamlList(String file, String key) {
    JsonNode list = parse(YAML, file, text(file)).path(key);
    if (!list.isArray() || list.isEmpty()) {
      throw ProvisionFailure.input(
          "infra/" + file + " has no list \"" + key + "\". Restore the file from the checkout.");
    }
    return list;
  }

  /** Names of the JSON files in a folder, below {@code infra/}, in their order. */
  List<String> jsonFiles(String folder) {
    try (Stream<Path> files = Files.list(path(folder))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .sorted()
          .map(name -> folder + "/" + name)
          .toList();
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }

  private static JsonNode parse(ObjectMapper mapper, String file, String text) {
    try {
      return mapper.readTree(text);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw ProvisionFailure.input(
          "infra/%s is not valid at line %d: %s. Correct the file."
              .formatted(file, line, e.getOriginalMessage()));
    }
  }

  private ProvisionFailure unreadable(String file, IOException cause) {
    return ProvisionFailure.input(
        "Cannot read "
            + path(file)
            + " ("
            + ProvisionFailure.reason(cause)
            + "). Run in a checkout, or name one with -Dtidemark.root=FOLDER.");
  }
}
