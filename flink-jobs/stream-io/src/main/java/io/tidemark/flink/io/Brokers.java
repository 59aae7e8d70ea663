package io.tidemark.flink.io;

import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Where Kafka is, and what clients show to it. Settings of a file stay in the file: each client
 * reads them when it is made, so no password is in the plan of a job or in its state.
 */
public final class Brokers implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Name of the argument with {@link #of(String, String) the file}. */
  public static final String CLIENT = "kafka.client";

  private final String bootstrapServers;
  private final TreeMap<String, String> settings = new TreeMap<>();

  private Brokers(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    settings.put("bootstrap.servers", bootstrapServers);
  }

  /** Brokers that ask for nothing. */
  public static Brokers at(String bootstrapServers) {
    return new Brokers(bootstrapServers);
  }

  /**
   * @param file client settings, as Kafka names them, at the same place on every machine of the
   *     cluster; empty for none
   * @throws IllegalArgumentException when it cannot be read
   */
  public static Brokers of(String bootstrapServers, String file) {
    Brokers brokers = new Brokers(bootstrapServers);
    if (file.isEmpty()) {
      return brokers;
    }
    Properties shown = new Properties();
    try (Reader text = Files.newBufferedReader(Path.of(file))) {
      shown.load(text);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "--" + CLIENT + " names no readable file: " + file, unreadable);
    }
    for (String name : shown.stringPropertyNames()) {
      brokers.settings.put(name, "${file:" + file + ":" + name + "}");
    }
    brokers.settings.put("config.providers", "file");
    brokers.settings.put(
        "config.providers.file.class",
        "org.apache.kafka.common.config.provider.FileConfigProvider");
    brokers.settings.put("config.providers.file.param.allowed.paths", file);
    return brokers;
  }

  /** host:port, comma separated. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Of a client, to be added to. */
  public Properties properties() {
    Properties properties = new Properties();
    settings.forEach(properties::setProperty);
    return properties;
  }

  /** The same as a map. */
  public Map<String, Object> settings() {
    return new TreeMap<>(settings);
  }
}
