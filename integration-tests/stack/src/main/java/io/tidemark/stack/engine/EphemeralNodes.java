package io.tidemark.stack.engine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * Removes what a killed process left in ZooKeeper until its session ends: that it leads, and where
 * it is. Its successor would wait for that. Only for who knows that the process is dead: the
 * lifecycle, before it starts another one.
 */
final class EphemeralNodes {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String keeper;

  /**
   * @param port of ZooKeeper on this machine
   */
  EphemeralNodes(int port) {
    this.keeper = "127.0.0.1:" + port;
  }

  /** Those of the JobManager; nobody else has any there. */
  void removeOfFlink() throws InterruptedException {
    remove("/flink", (path, data) -> true);
  }

  /** Those whose name or text says the address of a Druid process. */
  void removeOfDruid(int port) throws InterruptedException {
    String address = "127.0.0.1:" + port;
    remove("/druid", (path, data) -> says(path, address) || says(data, address));
  }

  /** Whether the address is there, and not only the beginning of a longer one. */
  private static boolean says(String text, String address) {
    int at = text.indexOf(address);
    while (at >= 0) {
      int end = at + address.length();
      if (end == text.length() || !Character.isDigit(text.charAt(end))) {
        return true;
      }
      at = text.indexOf(address, end);
    }
    return false;
  }

  /** Where ZooKeeper is away nothing is removed: the session ends by itself, some seconds later. */
  private void remove(String root, BiPredicate<String, String> isLeft) throws InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper client =
        new ZooKeeper(
            keeper, Math.toIntExact(PATIENCE.toMillis()), event -> tell(event, connected))) {
      if (connected.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        removeBelow(client, root, isLeft);
      }
    } catch (IOException | KeeperException away) {
      // As above.
    }
  }

  private static void tell(WatchedEvent event, CountDownLatch connected) {
    if (event.getState() == KeeperState.SyncConnected) {
      connected.countDown();
    }
  }

  private static void removeBelow(ZooKeeper client, String root, BiPredicate<String, String> isLeft)
      throws KeeperException, InterruptedException {
    Deque<String> left = new ArrayDeque<>();
    left.add(root);
    while (!left.isEmpty()) {
      String path = left.remove();
      try {
        Stat stat = new Stat();
        byte[] data = client.getData(path, false, stat);
        String text = data == null ? "" : new String(data, StandardCharsets.UTF_8);
        if (stat.getEphemeralOwner() == 0) {
          client.getChildren(path, false).forEach(child -> left.add(path + "/" + child));
        } else if (isLeft.test(path, text)) {
          client.delete(path, -1);
        }
      } catch (KeeperException.NoNodeException gone) {
        // Another removed it, or nothing was there.
      }
    }
  }
}
