package io.tidemark.pipeline.bench;

import io.tidemark.stack.StackFailure;
import io.tidemark.stack.TidemarkStack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What is done to a stack before its repair: a component, or one of three names, is told. */
final class RecoveryFault {
  /** No fault: how long answers take to hold the last points anyway. */
  static final String NONE = "none";

  /** Orderly stop of everything. */
  static final String RESTART = "restart";

  /** kill -9 of every process at once, as when the machine loses its power. */
  static final String ALL = "all";

  private final String name;

  RecoveryFault(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  /**
   * By names; all of them, in the order of a run, where none is given.
   *
   * @param wanted comma between names, or empty
   */
  public static List<RecoveryFault> of(String wanted, List<String> components) {
    List<String> known = new ArrayList<>(List.of(NONE));
    known.addAll(components);
    known.addAll(List.of(RESTART, ALL));
    List<String> names = wanted.isBlank() ? known : List.of(wanted.split(","));
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "There is no component " + name + ". Known: " + String.join(", ", known));
      }
    }
    return names.stream().map(RecoveryFault::new).toList();
  }

  /** Returns when what ends has ended. */
  void happen(TidemarkStack stack, List<String> components) throws Exception {
    switch (name) {
      case NONE -> {
        // The repair finds nothing to do.
      }
      case RESTART -> stack.down();
      case ALL -> {
        for (String component : components) {
          killIfRuns(stack, component);
        }
      }
      default -> stack.kill(name);
    }
  }

  /** A process may have ended because of one that was killed before. */
  private static void killIfRuns(TidemarkStack stack, String component)
      throws IOException, InterruptedException {
    try {
      stack.kill(component);
    } catch (StackFailure gone) {
      if (!gone.getMessage().contains("does not run")) {
        throw gone;
      }
    }
  }

  /** In words. */
  String told() {
    return switch (name) {
      case NONE -> "the end of the load, nothing killed";
      case RESTART -> "an orderly restart of everything, from the first start on";
      case ALL -> "kill -9 of everything";
      default -> "kill -9 of " + name;
    };
  }
}
