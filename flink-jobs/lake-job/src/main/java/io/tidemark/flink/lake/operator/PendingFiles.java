package io.tidemark.flink.lake.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Files that are not committed yet, by the checkpoint that holds them. A file belongs to the first
 * checkpoint taken after it arrived, whoever wrote it and when: so in-flight files of a checkpoint
 * are never taken for committed ones.
 */
final class PendingFiles {

  private static final String VERSION = "1";
  private static final char SEPARATOR = '|';

  private final List<String> arrived = new ArrayList<>();
  private final NavigableMap<Long, List<String>> held = new TreeMap<>();
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

  int size() {
    return arrived.size() + held.values().stream().mapToInt(List::size).sum();
  }

  /** What the state of this checkpoint is. */
  List<String> hold(long checkpoint) {
    if (!arrived.isEmpty()) {
      held.put(checkpoint, List.copyOf(arrived));
      arrived.clear();
    }
    List<String> state = new ArrayList<>();
    // Names the writer even if nothing is pending.
    state.add(element(0, ""));
    held.forEach((id, files) -> files.forEach(file -> state.add(element(id, file))));
    return state;
  }

  /** Files of checkpoints up to this one. */
  List<String> upTo(long checkpoint) {
    List<String> files = new ArrayList<>();
    held.headMap(checkpoint, true).values().forEach(files::addAll);
    return files;
  }

  void forgetUpTo(long checkpoint) {
    held.headMap(checkpoint, true).clear();
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

  private String element(long checkpoint, String file) {
    return VERSION + SEPARATOR + writer + SEPARATOR + checkpoint + SEPARATOR + file;
  }
}
