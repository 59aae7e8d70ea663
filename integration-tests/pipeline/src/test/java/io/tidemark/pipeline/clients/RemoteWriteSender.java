package io.tidemark.pipeline.clients;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.tidemark.pipeline.support.Sender;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Remote write 1.0, a series of two samples at a time, in snappy blocks that copy nothing. */
final class RemoteWriteSender implements Sender {
  private static final String METRIC = "first_day_remote_write";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI address;
  private final String authorization;
  private Total sent = new Total(0, 0);
  private long next = 1;
  private long time = System.currentTimeMillis();

  RemoteWriteSender(String door, String key) {
    this.address = URI.create(door + "/api/v1/write");
    this.authorization = "Bearer " + key;
  }

  @Override
  public Map<String, Boolean> send() throws IOException, InterruptedException {
    time = Math.max(time + 2, System.currentTimeMillis());
    byte[] series =
        message(
            out -> {
              out.writeByteArray(1, label("__name__", METRIC));
              out.writeByteArray(1, label("job", "remote-write"));
              out.writeByteArray(2, sample(next, time));
              out.writeByteArray(2, sample(next + 1, time + 1));
            });
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(address)
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", authorization)
                .header("Content-Type", "application/x-protobuf")
                .header("Content-Encoding", "snappy")
                .header("X-Prometheus-Remote-Write-Version", "0.1.0")
                .POST(
                    HttpRequest.BodyPublishers.ofByteArray(
                        snappy(message(out -> out.writeByteArray(1, series)))))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 401) {
      return Map.of("remote write", false);
    }
    if (answer.statusCode() != 204) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    sent = sent.and(2.0 * next + 1, 2);
    next += 2;
    return Map.of("remote write", true);
  }

  @Override
  public Map<String, Total> sent() {
    return Map.of(METRIC, sent);
  }

  private static byte[] label(String name, String value) throws IOException {
    return message(
        out -> {
          out.writeString(1, name);
          out.writeString(2, value);
        });
  }

  private static byte[] sample(double value, long time) throws IOException {
    return message(
        out -> {
          out.writeDouble(1, value);
          out.writeInt64(2, time);
        });
  }

  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    fields.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  /** A block with one literal: its length, then a literal of up to 65,536 bytes. */
  private static byte[] snappy(byte[] plain) throws IOException {
    return message(
        out -> {
          out.writeUInt32NoTag(plain.length);
          out.writeRawByte((byte) (61 << 2));
          out.writeRawByte((byte) (plain.length - 1));
          out.writeRawByte((byte) ((plain.length - 1) >> 8));
          out.writeRawBytes(ByteString.copyFrom(plain));
        });
  }
}
