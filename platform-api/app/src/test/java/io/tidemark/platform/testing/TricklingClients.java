package io.tidemark.platform.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections of loopback that each begin a request and then send a byte now and then, all by one
 * thread. A connection that the server ends is opened again.
 */
public final class TricklingClients implements Attack {

  private static final long PAUSE_MS = 200;

  private final InetSocketAddress server;
  private final byte[] beginning;
  private final List<SocketChannel> open = new ArrayList<>();
  private final int connections;
  private final Thread sender;
  private volatile boolean goesOn = true;
  private volatile int ended;

  public TricklingClients(int port, int connections, String beginning) {
    this.server = new InetSocketAddress("127.0.0.1", port);
    this.connections = connections;
    this.beginning = beginning.getBytes(StandardCharsets.US_ASCII);
    this.sender = new Thread(this::trickle, "trickling-clients");
  }

  /** Opens all connections, and then goes on by itself. */
  @Override
  public void start() throws IOException {
    for (int i = 0; i < connections; i++) {
      open.add(begin());
    }
    sender.start();
  }

  /** How many connections the server has ended so far. */
  public int ended() {
    return ended;
  }

  private SocketChannel begin() throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.configureBlocking(false);
    channel.write(ByteBuffer.wrap(beginning));
    return channel;
  }

  private void trickle() {
    ByteBuffer answers = ByteBuffer.allocate(4 * 1024);
    while (goesOn) {
      for (int i = 0; i < open.size() && goesOn; i++) {
        try {
          SocketChannel channel = open.get(i);
          answers.clear();
          if (channel.read(answers) < 0) {
            throw new IOException("ended");
          }
          if (beginning.length > 0) {
            channel.write(ByteBuffer.wrap(new byte[] {0}));
          }
        } catch (IOException end) {
          ended++;
          reopen(i);
        }
      }
      try {
        Thread.sleep(PAUSE_MS);
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  private void reopen(int place) {
    try {
      open.get(place).close();
      open.set(place, begin());
    } catch (IOException refused) {
      ended++;
    }
  }

  @Override
  public void close() throws IOException {
    goesOn = false;
    sender.interrupt();
    try {
      sender.join();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
