package io.tidemark.platform.kafka;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * What every client of the pipeline's Kafka shows to the broker: the settings of the file that
 * {@code TIDEMARK_KAFKA_CLIENT} names, as Kafka names them. Unset, the broker lets everybody in.
 *
 * <p>The file is read whenever a client is made, so that a new password needs no other setting.
 */
public final class BrokerAccess {

  private static final String FILE = "TIDEMARK_KAFKA_CLIENT";

  private BrokerAccess() {}

  /**
   * Adds it to the settings of one client, which win.
   *
   * @throws IllegalStateException when the file cannot be read
   */
  public static Map<String, Object> with(Map<String, ?> settings) {
    Optional<Path> file =
        Optional.ofNullable(System.getenv(FILE)).filter(name -> !name.isBlank()).map(Path::of);
    return with(settings, file);
  }

  static Map<String, Object> with(Map<String, ?> settings, Optional<Path> file) {
    Map<String, Object> all = new HashMap<>();
    file.map(BrokerAccess::read).ifPresent(all::putAll);
    all.putAll(settings);
    return all;
  }

  private static Map<String, String> read(Path file) {
    Properties properties = new Properties();
    try (Reader text = Files.newBufferedReader(file)) {
      properties.load(text);
    } catch (IOException unreadable) {
      throw new IllegalStateException(
          FILE + " must be a file with settings of Kafka's clients: " + file, unreadable);
    }
    Map<String, String> settings = new HashMap<>();
    properties.stringPropertyNames().forEach(n -> settings.put(n, properties.getProperty(n)));
    return settings;
  }
}
