package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.metricstore.Source;
import io.tidemark.platform.shared.TenantId;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Rows of an organisation that queries must not show any more. */
@FunctionalInterface
public interface HiddenFilter {

  /** A native filter that holds for what may be shown; empty when nothing is hidden. */
  Optional<ObjectNode> of(TenantId organization, Source source);
}
