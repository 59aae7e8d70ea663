package io.tidemark.flink.model.route;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Minutes during which a metric is split. By the contract events/tidemark/routes/v1/route.proto.
 *
 * @param organizationId the tenant
 * @param environmentId its environment
 * @param metric as sent
 * @param labels names of point attributes that ordinary rows lack; sorted, not empty
 * @param validFrom start of the first minute, milliseconds since the Unix epoch
 * @param validTo start of the first minute after; {@link #OPEN} while no end is decided
 * @param why who said so
 * @param seriesEstimate active series when it was decided; 0 when not measured
 */
@SuppressWarnings("ArrayRecordComponent") // Travels between operators.
public record RouteInterval(
    String organizationId,
    String environmentId,
    String metric,
    String[] labels,
    long validFrom,
    long validTo,
    Why why,
    long seriesEstimate) {

  public static final long OPEN = Long.MAX_VALUE;

  /** Names are those of the contract. */
  public enum Why {
    DECLARED,
    MEASURED
  }

  private static final Why[] WHYS = Why.values();

  public String metricKey() {
    return metricKey(organizationId, environmentId, metric);
  }

  /** Key of a metric in control records and routes. */
  public static String metricKey(String organizationId, String environmentId, String metric) {
    return organizationId + "/" + environmentId + "/" + metric;
  }

  public boolean covers(long minute) {
    return validFrom <= minute && minute < validTo;
  }

  public RouteInterval endingAt(long end) {
    return new RouteInterval(
        organizationId,
        environmentId,
        metric,
        labels,
        validFrom,
        Math.max(end, validFrom),
        why,
        seriesEstimate);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(organizationId);
    out.writeUTF(environmentId);
    out.writeUTF(metric);
    out.writeInt(labels.length);
    for (String label : labels) {
      out.writeUTF(label);
    }
    out.writeLong(validFrom);
    out.writeLong(validTo);
    out.writeByte(why.ordinal());
    out.writeLong(seriesEstimate);
  }

  static RouteInterval read(DataInputStream in) throws IOException {
    String organization = in.readUTF();
    String environment = in.readUTF();
    String metric = in.readUTF();
    String[] labels = new String[in.readInt()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = in.readUTF();
    }
    return new RouteInterval(
        organization,
        environment,
        metric,
        labels,
        in.readLong(),
        in.readLong(),
        WHYS[in.readByte()],
        in.readLong());
  }

  /** The bytes in bundles and in state. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("Writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  public static RouteInterval decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return read(in);
    } catch (IOException e) {
      throw new UncheckedIOException("A route is damaged", e);
    }
  }
}
