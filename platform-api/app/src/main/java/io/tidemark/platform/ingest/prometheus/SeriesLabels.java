package io.tidemark.platform.ingest.prometheus;

import io.tidemark.platform.ingest.domain.RejectionReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Labels of one series or exemplar, as places in the body. Reused for the next one. */
final class SeriesLabels {

  private static final byte[] METRIC_NAME = ascii("__name__");

  /** Labels that name the resource, and the resource attribute that each becomes. */
  private static final byte[][] RESOURCE_LABELS = {
    ascii("job"), ascii("instance"), ascii("tidemark_resource_type"), ascii("tidemark_resource_id")
  };

  private static final byte[][] RESOURCE_ATTRIBUTES = {
    ascii("service.name"),
    ascii("service.instance.id"),
    ascii("tidemark.resource.type"),
    ascii("tidemark.resource.id")
  };

  /** OTLP Resource.attributes. */
  private static final int ATTRIBUTES = 1;

  private final byte[] body;
  private final RemoteWriteLimits limits;

  /** What a label says that names no resource and no metric. */
  private static final int ATTRIBUTE = -1;

  private static final int METRIC = RESOURCE_LABELS.length;

  private static final int NONE = -1;

  /** Per label: where name and value begin, and their lengths. */
  private int[] nameAt = new int[16];

  private int[] nameSize = new int[16];
  private int[] valueAt = new int[16];
  private int[] valueSize = new int[16];

  /** Per label: the number of its resource label, or {@link #ATTRIBUTE} or {@link #METRIC}. */
  private int[] role = new int[16];

  /** Per label: whether its name comes after that of the label before. */
  private boolean[] rises = new boolean[16];

  /** How many labels were added before {@link #clear}: their names and what follows from them. */
  private int countBefore;

  /** All labels so far have the names that those before had, at the same places in the body. */
  private boolean asBefore;

  /** The first label of each resource label; {@link #NONE} when it is absent. */
  private final int[] resourceLabel = new int[RESOURCE_LABELS.length];

  /** Where the values of the resource labels were of the series that was asked about last. */
  private final int[] lastAt = new int[RESOURCE_LABELS.length];

  private final int[] lastSize = new int[RESOURCE_LABELS.length];
  private int count;
  private int metricName;
  private boolean ascending;
  private boolean invalid;

  SeriesLabels(byte[] body, RemoteWriteLimits limits) {
    this.body = body;
    this.limits = limits;
    clear();
  }

  void clear() {
    countBefore = count;
    asBefore = true;
    count = 0;
    metricName = NONE;
    Arrays.fill(resourceLabel, NONE);
    ascending = true;
    invalid = false;
  }

  /** There is a label that is no UTF-8. */
  void spoil() {
    invalid = true;
  }

  /**
   * Adds a label whose name and value are UTF-8. One with an empty value is no label, as in
   * Prometheus.
   */
  void add(int name, int sizeOfName, int value, int sizeOfValue) {
    if (sizeOfName == 0 || sizeOfName > limits.name() || sizeOfValue > limits.value()) {
      invalid = true;
      return;
    }
    if (sizeOfValue == 0) {
      return;
    }
    if (count == limits.labels()) {
      invalid = true;
      return;
    }
    if (count == nameAt.length) {
      grow();
    }
    valueAt[count] = value;
    valueSize[count] = sizeOfValue;
    if (!asBefore
        || count >= countBefore
        || nameAt[count] != name
        || nameSize[count] != sizeOfName) {
      asBefore = false;
      nameAt[count] = name;
      nameSize[count] = sizeOfName;
      rises[count] = count == 0 || compareNames(count - 1, count) < 0;
      role[count] = roleOf(count);
    }
    ascending &= rises[count];
    int meaning = role[count];
    if (meaning == METRIC && metricName == NONE) {
      metricName = count;
    } else if (meaning >= 0 && meaning < METRIC && resourceLabel[meaning] == NONE) {
      resourceLabel[meaning] = count;
    }
    count++;
  }

  private void grow() {
    nameAt = Arrays.copyOf(nameAt, 2 * count);
    nameSize = Arrays.copyOf(nameSize, 2 * count);
    valueAt = Arrays.copyOf(valueAt, 2 * count);
    valueSize = Arrays.copyOf(valueSize, 2 * count);
    role = Arrays.copyOf(role, 2 * count);
    rises = Arrays.copyOf(rises, 2 * count);
  }

  private int roleOf(int label) {
    if (isNamed(label, METRIC_NAME)) {
      return METRIC;
    }
    for (int resource = 0; resource < RESOURCE_LABELS.length; resource++) {
      if (isNamed(label, RESOURCE_LABELS[resource])) {
        return resource;
      }
    }
    return ATTRIBUTE;
  }

  /** Why the series cannot be taken; order is not asked for. */
  Optional<RejectionReason> faultOfSeries() {
    if (invalid || isAnyTwice()) {
      return Optional.of(RejectionReason.LABEL_INVALID);
    }
    return metricName == NONE ? Optional.of(RejectionReason.METRIC_NAME_MISSING) : Optional.empty();
  }

  /** Whether these can be the labels of an exemplar. */
  boolean fitExemplar() {
    return !invalid && !isAnyTwice();
  }

  private boolean isAnyTwice() {
    if (ascending) {
      return false;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      if (!names.add(new String(body, nameAt[i], nameSize[i], StandardCharsets.ISO_8859_1))) {
        return true;
      }
    }
    return false;
  }

  /** The name of the metric for people; empty when there is none. */
  String metricName() {
    return metricName == NONE
        ? ""
        : new String(body, valueAt[metricName], valueSize[metricName], StandardCharsets.UTF_8);
  }

  /** Where in the body the name of the metric is; there must be one. */
  int metricNameAt() {
    return valueAt[metricName];
  }

  int metricNameSize() {
    return valueSize[metricName];
  }

  boolean metricNameEndsWith(byte[] suffix) {
    int start = valueAt[metricName] + valueSize[metricName] - suffix.length;
    return valueSize[metricName] > suffix.length
        && Arrays.equals(body, start, start + suffix.length, suffix, 0, suffix.length);
  }

  boolean has(byte[] name) {
    for (int i = 0; i < count; i++) {
      if (isNamed(i, name)) {
        return true;
      }
    }
    return false;
  }

  /** The value of a label as text; empty when there is none. */
  Optional<String> value(byte[] name) {
    for (int i = 0; i < count; i++) {
      if (isNamed(i, name)) {
        return Optional.of(new String(body, valueAt[i], valueSize[i], StandardCharsets.UTF_8));
      }
    }
    return Optional.empty();
  }

  void writeMetricName(ProtobufBytes out, int field) {
    out.delimited(field, body, valueAt[metricName], valueSize[metricName]);
  }

  /** Whether the resource is that of the series before which this was asked last. */
  boolean areOfTheLastResource() {
    boolean same = true;
    for (int resource = 0; resource < RESOURCE_LABELS.length; resource++) {
      int label = resourceLabel[resource];
      int at = label < 0 ? 0 : valueAt[label];
      int size = label < 0 ? 0 : valueSize[label];
      same = same && size == lastSize[resource] && isSameText(at, lastAt[resource], size);
      lastAt[resource] = at;
      lastSize[resource] = size;
    }
    return same;
  }

  private boolean isSameText(int at, int other, int size) {
    return at == other || Arrays.equals(body, at, at + size, body, other, other + size);
  }

  /** The labels that name the resource, as an OTLP Resource. */
  void writeResource(ProtobufBytes out) {
    for (int resource = 0; resource < RESOURCE_LABELS.length; resource++) {
      int label = resourceLabel[resource];
      if (label >= 0) {
        byte[] key = RESOURCE_ATTRIBUTES[resource];
        out.text(ATTRIBUTES, key, 0, key.length, body, valueAt[label], valueSize[label]);
      }
    }
  }

  /** All other labels as attributes of a point. */
  void writePointAttributes(ProtobufBytes out, int field) {
    for (int i = 0; i < count; i++) {
      if (role[i] == ATTRIBUTE) {
        out.text(field, body, nameAt[i], nameSize[i], body, valueAt[i], valueSize[i]);
      }
    }
  }

  /** All labels but those of two names. */
  void writeAttributesWithout(ProtobufBytes out, int field, byte[] first, byte[] second) {
    for (int i = 0; i < count; i++) {
      if (!isNamed(i, first) && !isNamed(i, second)) {
        out.text(field, body, nameAt[i], nameSize[i], body, valueAt[i], valueSize[i]);
      }
    }
  }

  private boolean isNamed(int label, byte[] name) {
    return nameSize[label] == name.length
        && body[nameAt[label]] == name[0]
        && Arrays.equals(body, nameAt[label], nameAt[label] + name.length, name, 0, name.length);
  }

  private int compareNames(int one, int other) {
    int first = (body[nameAt[one]] & 0xFF) - (body[nameAt[other]] & 0xFF);
    if (first != 0) {
      return first;
    }
    return Arrays.compareUnsigned(
        body,
        nameAt[one],
        nameAt[one] + nameSize[one],
        body,
        nameAt[other],
        nameAt[other] + nameSize[other]);
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
