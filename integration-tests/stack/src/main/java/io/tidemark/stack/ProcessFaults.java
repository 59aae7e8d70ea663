package io.tidemark.stack;

import io.tidemark.stack.engine.Clocks;
import io.tidemark.stack.process.ProcessTable;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** What may happen to the process of a component without ending it. */
public final class ProcessFaults {
  private final StackSettings settings;
  private final ProcessTable processes;
  private final UnaryOperator<String> known;

  /**
   * @param known throws for what is no component
   */
  ProcessFaults(StackSettings settings, ProcessTable processes, UnaryOperator<String> known) {
    this.settings = settings;
    this.processes = processes;
    this.known = known;
  }

  /** SIGSTOP: it keeps its connections and answers nothing until {@link #thaw}. */
  public void freeze(String id) throws IOException, InterruptedException {
    processes.signal(known.apply(id), "STOP");
  }

  /** Lets a frozen component go on. One that has ended meanwhile is left alone. */
  public void thaw(String id) throws IOException, InterruptedException {
    processes.signal(known.apply(id), "CONT");
  }

  /**
   * As a full disk: no file of the component grows any more, its log included, until {@link
   * #allowWrites} or its next start. Writes fail with "File too large", not with "No space left on
   * device".
   */
  public void denyWrites(String id) throws IOException, InterruptedException {
    processes.limitFileSize(known.apply(id), "0");
  }

  /** Lets files of a component grow again. One that has ended meanwhile is left alone. */
  public void allowWrites(String id) throws IOException, InterruptedException {
    processes.limitFileSize(known.apply(id), "unlimited");
  }

  /**
   * Sets how far a component's clock is ahead of the machine's, where clocks are steppable; a
   * second later it shows. Elapsed time goes on as before.
   */
  public void stepClock(String id, Duration ahead) throws IOException {
    new Clocks(settings).step(known.apply(id), ahead);
  }
}
