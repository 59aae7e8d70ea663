package io.tidemark.platform.ingest.kafka;

import net.jpountz.lz4.LZ4Factory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The native form of the compression of records. Kafka asks for the fastest one, which is the
 * native one only if it is loaded already or its classes lie on the class path of the JVM; those in
 * an executable jar of Spring Boot do not, and compressing would take several times as long.
 */
public final class NativeLz4 {

  private static final Logger LOG = LoggerFactory.getLogger(NativeLz4.class);

  private NativeLz4() {}

  /** Loads it for the whole process; without it the one in Java is used. */
  public static void load() {
    try {
      LZ4Factory unused = LZ4Factory.nativeInstance();
    } catch (LinkageError | RuntimeException unavailable) {
      LOG.warn("Records are compressed in Java, which is slower: {}", unavailable.toString());
    }
  }
}
