package io.tidemark.platform.druid;

import io.tidemark.platform.shared.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells which organisations have datasources of their own. */
@FunctionalInterface
public interface DatasourcePlacements {

  /** Everybody's rows are in the datasources that all share. */
  DatasourcePlacements NONE = List::of;

  /**
   * All that Druid was told.
   *
   * @throws io.tidemark.platform.shared.ProblemException {@code store_unavailable} while that is
   *     not known
   */
  List<DatasourcePlacement> all();

  /** The one of an organisation; most have none. */
  default Optional<DatasourcePlacement> of(TenantId organization) {
    return all().stream().filter(each -> each.organization().equals(organization)).findFirst();
  }

  /** Datasources of one level with rows of an organisation, the shared one first. */
  default List<String> datasources(TenantId organization, String shared) {
    return Stream.concat(
            Stream.of(shared), of(organization).stream().map(each -> each.datasource(shared)))
        .toList();
  }

  /** Datasources of one level with rows of anybody, the shared one first. */
  default List<String> datasources(String shared) {
    return Stream.concat(Stream.of(shared), all().stream().map(each -> each.datasource(shared)))
        .toList();
  }
}
