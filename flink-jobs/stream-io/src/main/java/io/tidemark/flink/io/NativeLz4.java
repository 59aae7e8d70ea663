package io.tidemark.flink.io;

import net.jpountz.lz4.LZ4Factory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native form of the compression of Kafka records. Kafka takes the fastest form there is, and
 * that is the native one only if it is loaded already or its classes come from the JVM's own class
 * path. Those of a job do not: without this every record is compressed and read in Java.
 */
public final class NativeLz4 {

  private static final Logger LOG = LoggerFactory.getLogger(NativeLz4.class);

  private NativeLz4() {}

  /**
   * Loads it for the job's class loader; again it costs nothing. To be called before the first
   * record is read or written. Without it the form in Java is used.
   */
  public static void load() {
    try {
      LZ4Factory unused = LZ4Factory.nativeInstance();
    } catch (LinkageError | RuntimeException unavailable) {
      LOG.warn("Kafka records are compressed in Java, which is slower: {}", unavailable.toString());
    }
  }
}
