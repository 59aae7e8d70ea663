package io.tidemark.platform.ingest.kafka.listener;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Speaks Kafka's protocol byte by byte, so that a test can send what no client sends. */
public final class TestingKafkaConnection implements AutoCloseable {

  private static final int SASL_HANDSHAKE = 17;
  private static final int SASL_AUTHENTICATE = 36;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  public TestingKafkaConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** The body of one request, after its header. */
  @FunctionalInterface
  public interface Body {

    void writeTo(DataOutputStream out) throws IOException;
  }

  /** A whole frame with the header that the version has. */
  public static byte[] frame(int api, int version, boolean flexible, Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream frame = new DataOutputStream(bytes);
    frame.writeShort(api);
    frame.writeShort(version);
    frame.writeInt(7); // correlation id
    frame.writeShort(-1); // no client id
    if (flexible) {
      frame.writeByte(0); // no tagged fields
    }
    body.writeTo(frame);
    ByteArrayOutputStream sized = new ByteArrayOutputStream();
    new DataOutputStream(sized).writeInt(bytes.size());
    sized.write(bytes.toByteArray());
    return sized.toByteArray();
  }

  public static void unsignedVarint(DataOutputStream out, int value) throws IOException {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      out.writeByte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.writeByte(rest);
  }

  /** Says who it is; tdm_environment_id_secret. */
  public void logIn(String key) throws IOException {
    String[] parts = key.split("_", -1);
    send(
        frame(
            SASL_HANDSHAKE,
            1,
            false,
            body -> {
              body.writeShort(5);
              body.writeBytes("PLAIN");
            }));
    receive();
    byte[] plain = ("\0" + parts[2] + "\0" + parts[3]).getBytes(StandardCharsets.UTF_8);
    send(
        frame(
            SASL_AUTHENTICATE,
            1,
            false,
            body -> {
              body.writeInt(plain.length);
              body.write(plain);
            }));
    receive();
  }

  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  /** The next answer without its size; null when the connection ended. */
  public byte[] receive() throws IOException {
    try {
      return in.readNBytes(in.readInt());
    } catch (java.io.EOFException | java.net.SocketException ended) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
