package io.tidemark.provision;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;

/** Finds transactions that stay open: who reads committed records waits behind each of them. */
final class BrokerTransactions {
  private static final int PATIENCE_MS = 5_000;

  /** Of the other states no reader waits for one. */
  private static final Set<TransactionState> OPEN =
      Set.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT);

  private final Map<String, Object> client;

  /**
   * @param client how the broker is reached
   */
  BrokerTransactions(Map<String, Object> client) {
    this.client = new HashMap<>(client);
    this.client.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MS - 1_000);
    this.client.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MS);
  }

  /**
   * Transactional ids, in alphabetical order.
   *
   * @param age they have been open for longer, by the broker's clock
   * @throws ExecutionException the broker does not say in five seconds
   */
  List<String> openLongerThan(Duration age) throws InterruptedException, ExecutionException {
    try (Admin admin = Admin.create(client)) {
      return admin
          .listTransactions(
              new ListTransactionsOptions().filterStates(OPEN).filterOnDuration(age.toMillis()))
          .all()
          .get()
          .stream()
          .map(TransactionListing::transactionalId)
          .sorted()
          .toList();
    }
  }
}
