package io.tidemark.provision;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** The topics of a cluster, as provisioning reads and changes them. */
interface TopicStore {
  /** One topic as it is declared. */
  record Topic(String name, int partitions, Map<String, String> settings) {}

  /** One topic as it is, with all settings in force. */
  record TopicState(int partitions, Map<String, String> settings) {}

  Set<String> names() throws InterruptedException, ExecutionException;

  /** Creates topics; returns the names of those that nobody else had created meanwhile. */
  Set<String> create(List<Topic> topics) throws InterruptedException, ExecutionException;

  /** Waits for topics that were created a moment ago. */
  Map<String, TopicState> describe(Collection<String> names)
      throws InterruptedException, ExecutionException;

  /** Does nothing when the topic has as many partitions, or more, meanwhile. */
  void raisePartitions(String name, int partitions) throws InterruptedException, ExecutionException;

  void set(String name, Map<String, String> settings)
      throws InterruptedException, ExecutionException;
}
