package io.tidemark.platform.testing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * What between two versions of an OpenAPI document breaks a caller that was written against the
 * older one. The rules are those of contracts/README.md: more may be offered and more be accepted,
 * never less. A new name in a list of an answer is no break.
 */
public final class ContractChanges {

  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "patch", "head", "options");

  private final Map<String, Object> older;
  private final Map<String, Object> newer;
  private final List<String> breaks = new ArrayList<>();
  private final Set<String> compared = new HashSet<>();

  private ContractChanges(Map<String, Object> older, Map<String, Object> newer) {
    this.older = older;
    this.newer = newer;
  }

  /** One line per break, in the order of the older document. */
  public static List<String> breaks(Map<String, Object> older, Map<String, Object> newer) {
    ContractChanges changes = new ContractChanges(older, newer);
    Map<String, Object> paths = map(newer, "paths");
    map(older, "paths")
        .forEach(
            (path, item) -> {
              if (paths.containsKey(path)) {
                changes.path(path, cast(item), map(paths, path));
              } else {
                changes.tell(path, "is gone");
              }
            });
    return changes.breaks;
  }

  private void path(String path, Map<String, Object> from, Map<String, Object> to) {
    for (String method : from.keySet()) {
      if (METHODS.contains(method)) {
        String name = method.toUpperCase(java.util.Locale.ROOT) + " " + path;
        if (to.containsKey(method)) {
          operation(name, from, to, map(from, method), map(to, method));
        } else {
          tell(name, "is gone");
        }
      }
    }
  }

  private void operation(
      String name,
      Map<String, Object> fromPath,
      Map<String, Object> toPath,
      Map<String, Object> from,
      Map<String, Object> to) {
    if (!Objects.equals(from.get("operationId"), to.get("operationId"))) {
      tell(name, "has another operationId");
    }
    parameters(name, parameters(older, fromPath, from), parameters(newer, toPath, to));
    body(name, resolved(older, map(from, "requestBody")), resolved(newer, map(to, "requestBody")));
    Map<String, Object> answers = map(to, "responses");
    map(from, "responses")
        .forEach(
            (status, answer) -> {
              String where = name + " " + status;
              if (answers.containsKey(status)) {
                answer(where, resolved(older, cast(answer)), resolved(newer, map(answers, status)));
              } else if (status.startsWith("2")) {
                tell(where, "is gone");
              }
            });
  }

  private void parameters(
      String name, Map<String, Map<String, Object>> from, Map<String, Map<String, Object>> to) {
    from.forEach(
        (key, parameter) -> {
          Map<String, Object> now = to.get(key);
          if (now == null) {
            tell(name, key + " is gone");
          } else {
            required(name + " " + key, parameter, now);
            schema(name + " " + key, parameter.get("schema"), now.get("schema"), true);
          }
        });
    to.forEach(
        (key, parameter) -> {
          if (!from.containsKey(key) && isTrue(parameter, "required")) {
            tell(name, key + " is new and required");
          }
        });
  }

  private void body(String name, Map<String, Object> from, Map<String, Object> to) {
    if (from.isEmpty() && isTrue(to, "required")) {
      tell(name, "needs a body");
    } else if (!from.isEmpty() && to.isEmpty()) {
      tell(name, "takes no body");
    } else if (!from.isEmpty()) {
      required(name + " body", from, to);
      content(name + " body", from, to, true);
    }
  }

  private void answer(String where, Map<String, Object> from, Map<String, Object> to) {
    for (String header : map(from, "headers").keySet()) {
      if (!map(to, "headers").containsKey(header)) {
        tell(where, "header " + header + " is gone");
      }
    }
    content(where, from, to, false);
  }

  private void content(
      String where, Map<String, Object> from, Map<String, Object> to, boolean isRequest) {
    Map<String, Object> types = map(to, "content");
    map(from, "content")
        .forEach(
            (type, media) -> {
              if (types.containsKey(type)) {
                schema(where, cast(media).get("schema"), map(types, type).get("schema"), isRequest);
              } else {
                tell(where, type + " is gone");
              }
            });
  }

  private void required(String where, Map<String, Object> from, Map<String, Object> to) {
    if (!isTrue(from, "required") && isTrue(to, "required")) {
      tell(where, "is required now");
    }
  }

  private void schema(String where, Object olderSchema, Object newerSchema, boolean isRequest) {
    if (olderSchema == null || newerSchema == null) {
      if (olderSchema != newerSchema) {
        tell(where, "has another type");
      }
      return;
    }
    Map<String, Object> from = cast(olderSchema);
    Map<String, Object> to = cast(newerSchema);
    if (from.containsKey("$ref")
        && !compared.add(from.get("$ref") + " " + to.get("$ref") + " " + isRequest)) {
      return;
    }
    from = resolved(older, from);
    to = resolved(newer, to);
    if (!Objects.equals(from.get("type"), to.get("type"))
        || !Objects.equals(from.get("format"), to.get("format"))) {
      tell(where, "has another type");
    }
    if (isRequest) {
      limits(where, from, to);
    } else if (!isTrue(from, "nullable") && isTrue(to, "nullable")) {
      tell(where, "may be null");
    }
    members(where, from, to, isRequest);
    if (from.containsKey("items") || to.containsKey("items")) {
      schema(where + "[]", from.get("items"), to.get("items"), isRequest);
    }
    if (from.get("additionalProperties") instanceof Map) {
      schema(
          where + ".*",
          from.get("additionalProperties"),
          to.get("additionalProperties") instanceof Map ? to.get("additionalProperties") : null,
          isRequest);
    }
    for (String choice : List.of("allOf", "oneOf", "anyOf")) {
      List<Object> parts = list(from, choice);
      List<Object> now = list(to, choice);
      for (int i = 0; i < parts.size(); i++) {
        schema(where, parts.get(i), i < now.size() ? now.get(i) : null, isRequest);
      }
    }
  }

  private void members(
      String where, Map<String, Object> from, Map<String, Object> to, boolean isRequest) {
    Map<String, Object> now = map(to, "properties");
    map(from, "properties")
        .forEach(
            (member, schema) -> {
              if (now.containsKey(member)) {
                schema(where + "." + member, schema, now.get(member), isRequest);
              } else {
                tell(where + "." + member, "is gone");
              }
            });
    List<Object> must = list(isRequest ? to : from, "required");
    List<Object> other = list(isRequest ? from : to, "required");
    for (Object member : must) {
      if (!other.contains(member)
          && (isRequest || map(from, "properties").containsKey(member.toString()))) {
        tell(where + "." + member, isRequest ? "is required now" : "may be absent now");
      }
    }
  }

  /** What a caller may send. */
  private void limits(String where, Map<String, Object> from, Map<String, Object> to) {
    List<Object> names = list(to, "enum");
    if (!names.isEmpty() && (!from.containsKey("enum") || !names.containsAll(list(from, "enum")))) {
      tell(where, "takes fewer names");
    }
    if (!Objects.equals(from.get("pattern"), to.get("pattern")) && to.containsKey("pattern")) {
      tell(where, "has another pattern");
    }
    if (isTrue(from, "nullable") && !isTrue(to, "nullable")) {
      tell(where, "may not be null");
    }
    for (String limit : List.of("maximum", "maxLength", "maxItems", "maxProperties")) {
      if (limit(to, limit, Double.POSITIVE_INFINITY)
          < limit(from, limit, Double.POSITIVE_INFINITY)) {
        tell(where, "has a smaller " + limit);
      }
    }
    for (String limit : List.of("minimum", "minLength", "minItems", "minProperties")) {
      if (limit(to, limit, Double.NEGATIVE_INFINITY)
          > limit(from, limit, Double.NEGATIVE_INFINITY)) {
        tell(where, "has a larger " + limit);
      }
    }
  }

  private static double limit(Map<String, Object> schema, String name, double none) {
    return schema.get(name) instanceof Number number ? number.doubleValue() : none;
  }

  private static Map<String, Map<String, Object>> parameters(
      Map<String, Object> document, Map<String, Object> path, Map<String, Object> operation) {
    Map<String, Map<String, Object>> found = new TreeMap<>();
    for (Map<String, Object> owner : List.of(path, operation)) {
      for (Object each : list(owner, "parameters")) {
        Map<String, Object> parameter = resolved(document, cast(each));
        found.put(parameter.get("in") + " " + parameter.get("name"), parameter);
      }
    }
    return found;
  }

  private static Map<String, Object> resolved(
      Map<String, Object> document, Map<String, Object> part) {
    Map<String, Object> now = part;
    while (now.get("$ref") instanceof String reference) {
      Map<String, Object> at = document;
      for (String step : reference.substring(2).split("/")) {
        at = map(at, step);
      }
      if (at.isEmpty()) {
        throw new IllegalArgumentException("There is no " + reference);
      }
      now = at;
    }
    return now;
  }

  private void tell(String where, String what) {
    breaks.add(where + " " + what);
  }

  private static boolean isTrue(Map<String, Object> part, String name) {
    return Boolean.TRUE.equals(part.get(name));
  }

  private static Map<String, Object> map(Map<String, Object> part, String name) {
    return part.get(name) instanceof Map<?, ?> found ? cast(found) : Map.of();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> cast(Object part) {
    return (Map<String, Object>) part;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Map<String, Object> part, String name) {
    return part.get(name) instanceof List<?> found ? (List<Object>) found : List.of();
  }
}
