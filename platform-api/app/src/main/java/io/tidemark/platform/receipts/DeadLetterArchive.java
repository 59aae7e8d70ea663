package io.tidemark.platform.receipts;

import io.tidemark.platform.shared.EnvironmentId;
import io.tidemark.platform.shared.TenantId;
import java.util.Optional;

/** The dead letters themselves. */
public interface DeadLetterArchive {

  /** A letter of that environment; empty when it is another's, or not kept any more. */
  Optional<DeadLetterDescription> find(
      TenantId organization, EnvironmentId environment, DeadLetterId id);
}
