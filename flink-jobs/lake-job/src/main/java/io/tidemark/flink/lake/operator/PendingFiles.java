package io.tidemark.flink.lake.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Files that are not committed yet, and how far they take the topic, by the checkpoint that holds
 * them. A file belongs to the first checkpoint taken after it arrived, whoever wrote it and when:
 * so in-flight files of a checkpoint are never taken for committed ones. Offsets are sent after the
 * files of their records, so no checkpoint has them without these.
 */
final class PendingFiles {

  private static final String VERSION = "1";
  private static final char SEPARATOR = '|';

  private final List<String> arrived = new ArrayList<>();
  private final NavigableMap<Long, List<String>> held = new TreeMap<>();
  private final NavigableMap<Long, TopicOffsets> heldOffsets = new TreeMap<>();
  private TopicOffsets reached = TopicOffsets.NONE;
  private String writer;

  /**
   * @param writer names the history of checkpoints that these files belong to
   */
  PendingFiles(String writer) {
    this.writer = writer;
  }

  String writer() {
    return writer;
  }

  void arrived(String file) {
    arrived.add(file);
  }

  void reached(TopicOffsets offsets) {
    reached = reached.then(offsets);
  }

  /** Of files. */
  int size() {
    return arrived.size() + held.values().stream().mapToInt(List::size).sum();
  }

  /** What the state of this checkpoint is. */
  List<String> hold(long checkpoint) {
    if (!arrived.isEmpty()) {
      held.put(checkpoint, List.copyOf(arrived));
      arrived.clear();
    }
    if (!reached.isEmpty()) {
      heldOffsets.put(checkpoint, reached);
      reached = TopicOffsets.NONE;
    }
    List<String> state = new ArrayList<>();
    // Names the writer even if nothing is pending.
    state.add(element(0, ""));
    held.forEach((id, files) -> files.forEach(file -> state.add(element(id, file))));
    return state;
  }

  /** Further state of the checkpoint that was held last, a list of its own: offsets. */
  List<String> heldOffsets() {
    List<String> state = new ArrayList<>();
    heldOffsets.forEach(
        (id, offsets) -> state.add(Long.toString(id) + SEPARATOR + offsets.toJson()));
    return state;
  }

  /** Files of checkpoints up to this one. */
  List<String> upTo(long checkpoint) {
    List<String> files = new ArrayList<>();
    held.headMap(checkpoint, true).values().forEach(files::addAll);
    return files;
  }

  /** How far the checkpoints up to this one took the topic. */
  TopicOffsets offsetsUpTo(long checkpoint) {
    return heldOffsets.headMap(checkpoint, true).values().stream()
        .reduce(TopicOffsets.NONE, TopicOffsets::then);
  }

  /** Holds the offsets of the checkpoints up to this one as one, so that waiting takes no room. */
  void gatherOffsetsUpTo(long checkpoint) {
    TopicOffsets gathered = offsetsUpTo(checkpoint);
    heldOffsets.headMap(checkpoint, true).clear();
    if (!gathered.isEmpty()) {
      heldOffsets.put(checkpoint, gathered);
    }
  }

  void forgetUpTo(long checkpoint) {
    held.headMap(checkpoint, true).clear();
    heldOffsets.headMap(checkpoint, true).clear();
  }

  /** Takes back what {@link #hold} returned; false if nothing did. */
  boolean restore(Iterable<String> state) {
    boolean found = false;
    for (String element : state) {
      found = true;
      String[] parts = element.split("\\" + SEPARATOR, 4);
      if (parts.length != 4 || !parts[0].equals(VERSION)) {
        throw new IllegalStateException(
            "The committer's state is of another version: resume with the version that wrote it");
      }
      writer = parts[1];
      if (!parts[3].isEmpty()) {
        held.computeIfAbsent(Long.parseLong(parts[2]), ignored -> new ArrayList<>()).add(parts[3]);
      }
    }
    return found;
  }

  /** Takes back what {@link #heldOffsets} returned. */
  void restoreOffsets(Iterable<String> state) {
    for (String element : state) {
      int separator = element.indexOf(SEPARATOR);
      heldOffsets.put(
          Long.valueOf(element.substring(0, separator)),
          TopicOffsets.parse(element.substring(separator + 1)));
    }
  }

  private String element(long checkpoint, String file) {
    return VERSION + SEPARATOR + writer + SEPARATOR + checkpoint + SEPARATOR + file;
  }
}
