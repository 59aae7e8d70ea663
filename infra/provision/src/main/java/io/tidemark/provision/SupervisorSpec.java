package io.tidemark.provision;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A supervisor that a file of {@code infra/druid/ingestion} declares: the one of the datasource
 * that all share, or the same of an organisation's own.
 *
 * @param file below {@code infra/}
 * @param shared name of the shared datasource, and of the lake's table
 * @param spec as it is sent to Druid, without a revision
 * @param revision says which texts it was made from
 * @param placement of an own one
 */
record SupervisorSpec(
    String file,
    String shared,
    ObjectNode spec,
    String revision,
    Optional<DatasourcePlacement> placement) {
  private static final String FILTER = "/spec/dataSchema/transformSpec";

  /** Those of all files: of each its shared one, then the own ones. */
  static List<SupervisorSpec> all(Addresses addresses) {
    List<DatasourcePlacement> placements = DatasourcePlacement.declared(addresses.files());
    List<SupervisorSpec> all = new ArrayList<>();
    for (String file : addresses.files().jsonFiles(DruidSetup.INGESTION)) {
      all.addAll(of(addresses, file, placements));
    }
    return all;
  }

  private static List<SupervisorSpec> of(
      Addresses addresses, String file, List<DatasourcePlacement> placements) {
    String text = addresses.fill(file, addresses.files().text(file));
    ObjectNode spec = (ObjectNode) addresses.files().json(file, text);
    String shared = spec.at(DruidSetup.DATA_SOURCE).asText();
    Optional<ObjectNode> client = addresses.access().druidConsumer();
    client.ifPresent(own -> spec.withObject("/spec/ioConfig/consumerProperties").setAll(own));
    List<String> texts = new ArrayList<>(List.of(text));
    client.ifPresent(own -> texts.add(own.toString()));
    if (placements.isEmpty()) {
      return List.of(new SupervisorSpec(file, shared, spec, digest(texts), Optional.empty()));
    }
    if (!spec.at(FILTER).isMissingNode()) {
      throw ProvisionFailure.input(
          "infra/%s has a transformSpec, which placements cannot be added to. Take it out."
              .formatted(file));
    }
    List<SupervisorSpec> all = new ArrayList<>();
    ObjectNode beside = spec.deepCopy();
    ObjectNode others = PlacementFilter.shared(placements);
    beside.withObject(FILTER).set("filter", others);
    ArrayNode known = beside.withObject("/context").putArray(DatasourcePlacement.CONTEXT);
    placements.forEach(placement -> known.add(placement.json()));
    all.add(
        new SupervisorSpec(
            file, shared, beside, digest(with(texts, known + " " + others)), Optional.empty()));
    for (DatasourcePlacement placement : placements) {
      ObjectNode own = spec.deepCopy();
      ObjectNode filter = PlacementFilter.own(placement);
      own.withObject("/spec/dataSchema").put("dataSource", placement.datasource(shared));
      own.withObject(FILTER).set("filter", filter);
      all.add(
          new SupervisorSpec(
              file,
              shared,
              own,
              digest(with(texts, placement.json() + " " + filter)),
              Optional.of(placement)));
    }
    return all;
  }

  private static List<String> with(List<String> texts, String more) {
    List<String> all = new ArrayList<>(texts);
    all.add(more);
    return all;
  }

  private static String digest(List<String> texts) {
    ContentDigest digest = new ContentDigest();
    texts.forEach(digest::add);
    return digest.hex();
  }

  /** The datasource, and so the supervisor. */
  String name() {
    return spec.at(DruidSetup.DATA_SOURCE).asText();
  }

  /** Whether all organisations may have rows in it. */
  boolean isShared() {
    return placement.isEmpty();
  }

  /** As it is posted. */
  ObjectNode withRevision(String text) {
    ObjectNode posted = spec.deepCopy();
    posted.withObject("/context").put(DruidSetup.REVISION, text);
    return posted;
  }
}
