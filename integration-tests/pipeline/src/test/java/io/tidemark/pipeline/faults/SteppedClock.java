package io.tidemark.pipeline.faults;

import io.tidemark.stack.TidemarkStack;
import java.time.Duration;

/** The clock of one process jumps, and jumps back when that is corrected. */
record SteppedClock(TidemarkStack stack, String victim, Duration ahead) implements Fault {
  @Override
  public void strike() throws Exception {
    stack.processFaults().stepClock(victim, ahead);
  }

  @Override
  public void heal() throws Exception {
    stack.processFaults().stepClock(victim, Duration.ZERO);
  }
}
