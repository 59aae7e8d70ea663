package io.tidemark.pipeline.faults;

import java.util.Locale;

/** In which way something fails. */
enum FaultKind {
  /** kill -9 of one process. */
  KILL(Target.COMPONENT, 6, 8),
  /** kill -9 of two processes at the same moment. */
  KILL_TWO(Target.TWO_COMPONENTS, 2, 8),
  /** SIGTERM, as a machine that is drained sends it. */
  STOP(Target.COMPONENT, 1, 8),
  /** SIGSTOP, and SIGCONT later: it holds its connections and answers nothing. */
  FREEZE(Target.COMPONENT, 3, 45),
  /** The same for longer than anybody waits for it. */
  LONG_FREEZE(Target.COMPONENT, 0, 0),
  /** Its files cannot grow: no write past the end of the first byte succeeds. */
  FULL_DISK(Target.WRITER, 2, 40),
  /** Answers come late over a link. */
  SLOW_LINK(Target.LINK, 2, 60),
  /** Connections of a link stay open, and nothing comes through. */
  SILENT_LINK(Target.LINK, 2, 45),
  /** Connections of a link are reset again and again. */
  RESET_LINK(Target.LINK, 2, 45),
  /** The object store answers 503 to everything. */
  REFUSING_STORE(Target.STORE, 2, 45),
  /** The clock of one process jumps forward, and back again. */
  CLOCK_AHEAD(Target.CLOCK, 1, 60),
  /** The clock of one process jumps back, and forward again. */
  CLOCK_BEHIND(Target.CLOCK, 1, 60);

  /** What it is done to. */
  enum Target {
    COMPONENT,
    TWO_COMPONENTS,
    /** A component that keeps files. */
    WRITER,
    LINK,
    STORE,
    /** A component with a clock of its own. */
    CLOCK
  }

  private final Target target;
  private final int weight;
  private final int longestSeconds;

  FaultKind(Target target, int weight, int longestSeconds) {
    this.target = target;
    this.weight = weight;
    this.longestSeconds = longestSeconds;
  }

  Target target() {
    return target;
  }

  /** How often it comes, after it has come once, beside the others. */
  int weight() {
    return weight;
  }

  int longestSeconds() {
    return longestSeconds;
  }

  /** As people write it: {@code slow link}. */
  String words() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
