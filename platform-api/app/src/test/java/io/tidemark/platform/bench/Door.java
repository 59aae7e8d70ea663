package io.tidemark.platform.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Where requests of one protocol go.
 *
 * @param headers beside Host and Content-Length, each with its line end
 */
record Door(int port, String path, String headers) {

  /** One kept connection, used by one thread: little code, so that sending costs little. */
  Connection open() throws IOException {
    return new Connection();
  }

  final class Connection implements AutoCloseable {

    private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    private final InputStream in = new BufferedInputStream(socket.getInputStream());
    private final OutputStream out = socket.getOutputStream();

    private Connection() throws IOException {
      socket.setTcpNoDelay(true);
    }

    /** Sends a request and reads its answer to the end; the status. */
    int post(byte[] body) throws IOException {
      byte[] head =
          ("POST "
                  + path
                  + " HTTP/1.1\r\nHost: localhost\r\n"
                  + headers
                  + "Content-Length: "
                  + body.length
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII);
      byte[] whole = new byte[head.length + body.length];
      System.arraycopy(head, 0, whole, 0, head.length);
      System.arraycopy(body, 0, whole, head.length, body.length);
      out.write(whole);
      int status = Integer.parseInt(line().split(" ", 3)[1]);
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        String lower = line.toLowerCase(Locale.ROOT);
        if (lower.startsWith("content-length:")) {
          length = Integer.parseInt(lower.substring(15).strip());
        } else if (lower.startsWith("transfer-encoding:")) {
          throw new IOException("Answers in chunks are not read here");
        }
      }
      in.skipNBytes(length);
      return status;
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int read = in.read(); read != '\n'; read = in.read()) {
        if (read < 0) {
          throw new EOFException("The receiver closed the connection");
        }
        if (read != '\r') {
          line.append((char) read);
        }
      }
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
