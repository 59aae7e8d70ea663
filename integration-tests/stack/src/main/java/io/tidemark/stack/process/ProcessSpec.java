package io.tidemark.stack.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One process of the stack.
 *
 * @param id component id, also the name of its pid and log files
 * @param command program and arguments; a change of it, or of the environment or {@code inputs},
 *     means a restart
 * @param environment variables added to the launcher's own
 * @param inputs files whose change means a restart: jars and configuration
 * @param dependsOn components that must be ready before this one starts
 * @param ports name in messages to port number; must be free before the start
 * @param prepare runs before each start: makes folders, formats storage; must be repeatable
 * @param readiness says whether the component serves
 * @param onReady runs at each start of the stack, once the component serves and before what depends
 *     on it starts; repeatable
 * @param readyWithin longest time from start to readiness
 * @param stop signal and patience of an orderly stop
 */
public record ProcessSpec(
    String id,
    List<String> command,
    Map<String, String> environment,
    List<Path> inputs,
    List<String> dependsOn,
    Map<String, Integer> ports,
    Preparation prepare,
    Readiness readiness,
    Preparation onReady,
    Duration readyWithin,
    Stop stop) {

  public ProcessSpec {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    inputs = List.copyOf(inputs);
    dependsOn = List.copyOf(dependsOn);
    ports = Map.copyOf(ports);
  }

  /** Work around a start: folders before it, topics or databases after it. */
  @FunctionalInterface
  public interface Preparation {
    void run() throws Exception;
  }

  /** A question that is asked every quarter of a second until it answers yes. */
  @FunctionalInterface
  public interface Readiness {
    /** True when the component serves; false or any exception means not yet. */
    boolean isReady() throws Exception;
  }

  /**
   * How a process is asked to end.
   *
   * @param signal its name as {@code kill} takes it
   * @param patience how long before SIGKILL
   * @param before components that end after it, though it starts without waiting for them
   */
  public record Stop(String signal, Duration patience, List<String> before) {
    public Stop {
      before = List.copyOf(before);
    }

    public Stop(String signal, Duration patience) {
      this(signal, patience, List.of());
    }
  }

  /** Whether this one has to end before {@code other} does. */
  public boolean endsBefore(String other) {
    return dependsOn.contains(other) || stop.before().contains(other);
  }
}
