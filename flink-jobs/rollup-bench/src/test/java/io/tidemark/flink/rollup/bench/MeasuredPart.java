package io.tidemark.flink.rollup.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * When the measured part of a run began and ended, told by the source of the Flink process itself:
 * before it series become known, after it what is still open at the end of the input goes out.
 *
 * @param begin its begin
 * @param end its end
 */
record MeasuredPart(Moment begin, Moment end) {

  /**
   * @param cpuSeconds user and system time of the process so far
   * @param wallMs the clock
   */
  record Moment(double cpuSeconds, long wallMs) {
    static Moment now() {
      OperatingSystemMXBean system =
          (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return new Moment(system.getProcessCpuTime() / 1e9, System.currentTimeMillis());
    }
  }

  private static volatile Moment latestBegin = new Moment(0, 0);
  private static volatile Moment latestEnd = new Moment(0, 0);

  /** The source reads the first batch of the measured part. */
  static void begins() {
    latestBegin = Moment.now();
  }

  /** The source reads the first batch after it. */
  static void ends() {
    latestEnd = Moment.now();
  }

  /** Of the latest run of this process. */
  static String line() {
    return latestBegin.cpuSeconds
        + " "
        + latestBegin.wallMs
        + " "
        + latestEnd.cpuSeconds
        + " "
        + latestEnd.wallMs;
  }

  static MeasuredPart parse(String line) {
    String[] words = line.strip().split(" ");
    return new MeasuredPart(
        new Moment(Double.parseDouble(words[0]), Long.parseLong(words[1])),
        new Moment(Double.parseDouble(words[2]), Long.parseLong(words[3])));
  }
}
