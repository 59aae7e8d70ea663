package io.tidemark.platform.metricstore.druid;

import io.tidemark.platform.metricstore.LabelFilter;
import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.ScanSpec;
import io.tidemark.platform.shared.TenantId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Filters as native trees. The first field of every whole one is the organisation. */
final class DruidFilters {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private DruidFilters() {}

  /** All of a list, which begins with the organisation. */
  static ObjectNode ofOrganization(TenantId organization) {
    ObjectNode all = JSON.objectNode().put("type", "and");
    all.putArray("fields").add(equal("organization_id", organization.value()));
    return all;
  }

  /** Adds to what {@link #ofOrganization} returned. */
  static void add(ObjectNode all, ObjectNode filter) {
    ((ArrayNode) all.path("fields")).add(filter);
  }

  static Optional<ObjectNode> environments(ScanSpec part) {
    if (part.environments().isEmpty()) {
      return Optional.empty();
    }
    ObjectNode in = in("environment_id", part.environments());
    return Optional.of(part.except() ? not(in) : in);
  }

  /** Logic of two values: a series that lacks a label is told apart before it is compared. */
  static ObjectNode of(LabelFilter filter) {
    return of(filter, false);
  }

  private static ObjectNode of(LabelFilter filter, boolean negated) {
    if (filter instanceof LabelFilter.Equal equal) {
      ObjectNode comparison = equal(equal.label().column(), equal.value());
      return negated ? present(equal.label(), comparison) : comparison;
    } else if (filter instanceof LabelFilter.In in) {
      ObjectNode one = in(in.label().column(), in.values());
      return negated ? present(in.label(), one) : one;
    } else if (filter instanceof LabelFilter.Greater greater) {
      ObjectNode comparison =
          greater(greater.label().column(), greater.value(), !greater.orEqual());
      return negated ? present(greater.label(), comparison) : comparison;
    } else if (filter instanceof LabelFilter.Present present) {
      return not(absent(present.label().column()));
    } else if (filter instanceof LabelFilter.Every every) {
      return several("and", every.filters(), negated);
    } else if (filter instanceof LabelFilter.Any any) {
      return several("or", any.filters(), negated);
    } else if (filter instanceof LabelFilter.Not not) {
      return not(of(not.filter(), true));
    }
    throw new IllegalStateException("Unknown filter " + filter);
  }

  private static ObjectNode several(String type, List<LabelFilter> filters, boolean negated) {
    ObjectNode all = JSON.objectNode().put("type", type);
    ArrayNode fields = all.putArray("fields");
    filters.forEach(part -> fields.add(of(part, negated)));
    return all;
  }

  /** In a NOT, Druid would not take a series without the label for one that is not equal. */
  private static ObjectNode present(LabelKey label, ObjectNode comparison) {
    return and(not(absent(label.column())), comparison);
  }

  /** Groups that come after one: greater in the first label, or equal there and so on. */
  static ObjectNode after(List<LabelKey> labels, List<String> after) {
    ObjectNode any = JSON.objectNode().put("type", "or");
    ArrayNode fields = any.putArray("fields");
    for (int i = 0; i < labels.size(); i++) {
      ObjectNode all = JSON.objectNode().put("type", "and");
      ArrayNode parts = all.putArray("fields");
      for (int j = 0; j < i; j++) {
        String column = labels.get(j).column();
        parts.add(after.get(j) == null ? absent(column) : equal(column, after.get(j)));
      }
      String column = labels.get(i).column();
      parts.add(after.get(i) == null ? not(absent(column)) : greater(column, after.get(i), true));
      fields.add(all);
    }
    return any;
  }

  static ObjectNode equal(String column, String value) {
    return JSON.objectNode().put("type", "selector").put("dimension", column).put("value", value);
  }

  static ObjectNode in(String column, Collection<String> values) {
    ObjectNode in = JSON.objectNode().put("type", "in").put("dimension", column);
    ArrayNode list = in.putArray("values");
    values.stream().sorted().forEach(list::add);
    return in;
  }

  static ObjectNode absent(String column) {
    return JSON.objectNode().put("type", "null").put("column", column);
  }

  static ObjectNode not(ObjectNode filter) {
    ObjectNode not = JSON.objectNode().put("type", "not");
    not.set("field", filter);
    return not;
  }

  private static ObjectNode and(ObjectNode... filters) {
    ObjectNode all = JSON.objectNode().put("type", "and");
    ArrayNode fields = all.putArray("fields");
    for (ObjectNode filter : filters) {
      fields.add(filter);
    }
    return all;
  }

  private static ObjectNode greater(String column, String value, boolean strict) {
    return JSON.objectNode()
        .put("type", "bound")
        .put("dimension", column)
        .put("lower", value)
        .put("lowerStrict", strict)
        .put("ordering", "lexicographic");
  }
}
