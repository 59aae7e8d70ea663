package io.tidemark.platform.sizing.yaml;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** A mapping of a YAML file that collects what is missing, of another kind, or unknown. */
final class YamlObject {

  private final String path;
  private final Map<String, Object> values;
  private final List<String> faults;
  private final Set<String> read = new HashSet<>();

  private YamlObject(String path, Map<String, Object> values, List<String> faults) {
    this.path = path;
    this.values = values;
    this.faults = faults;
  }

  /** The values of a file; a text that is no mapping is a fault of {@code name}. */
  static Map<String, Object> parse(String name, String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    Object loaded;
    try {
      loaded = new Yaml(new SafeConstructor(options)).load(text);
    } catch (YAMLException malformed) {
      throw new SizingFileException(name, List.of(String.valueOf(malformed.getMessage())));
    }
    if (!(loaded instanceof Map<?, ?>)) {
      throw new SizingFileException(name, List.of("holds no names with values"));
    }
    return named((Map<?, ?>) loaded);
  }

  static YamlObject root(Map<String, Object> values) {
    return new YamlObject("", values, new ArrayList<>());
  }

  private static Map<String, Object> named(Map<?, ?> loaded) {
    Map<String, Object> values = new LinkedHashMap<>();
    loaded.forEach((name, value) -> values.put(String.valueOf(name), value));
    return values;
  }

  /**
   * Ends the reading of a file.
   *
   * @throws SizingFileException when anything was wrong
   */
  void end(String name) {
    refuseUnknown();
    if (!faults.isEmpty()) {
      throw new SizingFileException(name, faults);
    }
  }

  private void refuseUnknown() {
    for (String name : values.keySet()) {
      if (!read.contains(name)) {
        faults.add(path + name + " is not known");
      }
    }
  }

  private @Nullable Object value(String name) {
    read.add(name);
    return values.get(name);
  }

  /** A number; 1 after a fault, so that reading goes on. */
  double number(String name) {
    if (value(name) instanceof Number number && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    faults.add(path + name + " must be a number");
    return 1;
  }

  /** A number of which there can be none or less only by mistake. */
  double positive(String name) {
    double number = number(name);
    if (number <= 0) {
      faults.add(path + name + " must be more than 0");
    }
    return number;
  }

  int whole(String name) {
    if (value(name) instanceof Integer number) {
      return number;
    }
    faults.add(path + name + " must be a whole number");
    return 1;
  }

  /** An exact amount of money, 0 or more; quoted or not. */
  BigDecimal money(String name) {
    Object value = value(name);
    try {
      if (value instanceof Number || value instanceof String) {
        BigDecimal amount = new BigDecimal(value.toString());
        if (amount.signum() >= 0) {
          return amount;
        }
      }
    } catch (NumberFormatException malformed) {
      // Told below, as of every other kind.
    }
    faults.add(path + name + " must be an amount of money, as in \"0.096\"");
    return BigDecimal.ZERO;
  }

  String text(String name) {
    if (value(name) instanceof String text && !text.isBlank()) {
      return text;
    }
    faults.add(path + name + " must be a text");
    return "";
  }

  String text(String name, String otherwise) {
    return values.containsKey(name) ? text(name) : otherwise;
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** A mapping below this one; its unknown names are told with those of this one. */
  YamlObject object(String name) {
    Object value = value(name);
    if (value instanceof Map<?, ?> inner) {
      return new YamlObject(path + name + ".", named(inner), faults);
    }
    faults.add(path + name + " must hold names with values");
    return new YamlObject(path + name + ".", Map.of(), faults);
  }

  /** The names below this one that are mappings, each read whole by the caller. */
  Map<String, YamlObject> objects() {
    Map<String, YamlObject> objects = new LinkedHashMap<>();
    values.keySet().forEach(name -> objects.put(name, object(name)));
    return objects;
  }

  /** Ends the reading of a mapping below. */
  void close() {
    refuseUnknown();
  }
}
