package io.tidemark.flink.io;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Where a job reads points and control records. In a second region that is the first region's
 * Kafka, under a consumer group of its own; everything else the job reads and writes is in its own.
 *
 * @param brokers {@value #SERVERS}: host:port, comma separated, which are shown the same {@value
 *     Brokers#CLIENT} as the job's own; without it the job's own
 * @param group consumer group; ends with {@value #REGION}, if that is given
 */
public record SourceCluster(Brokers brokers, String group) {
  private static final String SERVERS = "source.kafka.bootstrap.servers";
  private static final String REGION = "region";

  /** Arguments that may be given; both or none. */
  public static final List<String> KEYS = List.of(SERVERS, REGION);

  private static final Pattern ADDRESSES =
      Pattern.compile("[^\\s,:]+:[0-9]{1,5}(,[^\\s,:]+:[0-9]{1,5})*");
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

  /**
   * Looks for faults, and reads no file.
   *
   * @param values arguments without their dashes
   * @param faults gets what is wrong
   */
  public static void check(Map<String, String> values, List<String> faults) {
    String servers = values.get(SERVERS);
    String region = values.get(REGION);
    if (servers == null && region == null) {
      return;
    }
    if (servers == null || region == null) {
      // Two jobs of one group would show each other's offsets, and begin at them.
      faults.add("--" + SERVERS + " and --" + REGION + " are given together or not at all");
      return;
    }
    if (!ADDRESSES.matcher(servers).matches()) {
      faults.add("--" + SERVERS + " is '" + servers + "', expected host:port, comma separated");
    }
    if (!NAME.matcher(region).matches()) {
      faults.add("--" + REGION + " is '" + region + "', expected lower-case letters, digits, dash");
    }
  }

  /**
   * @param values as {@link #check} has found them to be right
   * @param own the job's own brokers
   * @param group of the job
   */
  public static SourceCluster of(Map<String, String> values, Brokers own, String group) {
    String servers = values.get(SERVERS);
    return servers == null
        ? new SourceCluster(own, group)
        : new SourceCluster(
            Brokers.of(servers, values.getOrDefault(Brokers.CLIENT, "")),
            group + "-" + values.get(REGION));
  }
}
