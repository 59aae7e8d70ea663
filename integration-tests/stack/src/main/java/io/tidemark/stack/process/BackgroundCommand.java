package io.tidemark.stack.process;

import java.util.ArrayList;
import java.util.List;

/**
 * A command line of a process that leaves the cores to others, and leads a session of its own.
 * Linux shares out the cores between sessions first ({@code autogroup}), so that a process's own
 * niceness counts within its session alone.
 */
public final class BackgroundCommand {
  /** A kernel without sessions of this kind has no such file; niceness is enough there. */
  private static final String GIVE_WAY =
      "{ echo \"$0\" > /proc/self/autogroup; } 2> /dev/null; exec nice -n \"$0\" \"$@\"";

  private BackgroundCommand() {}

  /**
   * The same command, to be started by {@code setsid}.
   *
   * @param niceness 1 to 19; 10 gets a ninth of what another process gets that wants the core, too
   */
  public static List<String> of(int niceness, List<String> command) {
    List<String> all = new ArrayList<>(List.of("sh", "-c", GIVE_WAY, Integer.toString(niceness)));
    all.addAll(command);
    return all;
  }
}
