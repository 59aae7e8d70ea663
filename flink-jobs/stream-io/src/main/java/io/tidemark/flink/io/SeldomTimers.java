package io.tidemark.flink.io;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobInfo;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/**
 * What a sink's writer is given, with timers that go off ten seconds later at the earliest. Flink's
 * Kafka writer has one timer, which copies a figure twice a second in each subtask of each sink and
 * looks for failures, which each write and each checkpoint look for too.
 */
record SeldomTimers(WriterInitContext given) implements WriterInitContext {

  static final Duration EARLIEST = Duration.ofSeconds(10);

  @Override
  public ProcessingTimeService getProcessingTimeService() {
    return new Timers(given.getProcessingTimeService());
  }

  private record Timers(ProcessingTimeService given) implements ProcessingTimeService {

    @Override
    public long getCurrentProcessingTime() {
      return given.getCurrentProcessingTime();
    }

    @Override
    public ScheduledFuture<?> registerTimer(long time, ProcessingTimeCallback target) {
      long earliest = given.getCurrentProcessingTime() + EARLIEST.toMillis();
      return given.registerTimer(Math.max(time, earliest), target);
    }
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return given.getUserCodeClassLoader();
  }

  @Override
  public MailboxExecutor getMailboxExecutor() {
    return given.getMailboxExecutor();
  }

  @Override
  public SinkWriterMetricGroup metricGroup() {
    return given.metricGroup();
  }

  @Override
  public SerializationSchema.InitializationContext asSerializationSchemaInitializationContext() {
    return given.asSerializationSchemaInitializationContext();
  }

  @Override
  public boolean isObjectReuseEnabled() {
    return given.isObjectReuseEnabled();
  }

  @Override
  public <T> TypeSerializer<T> createInputSerializer() {
    return given.createInputSerializer();
  }

  @Override
  public <M> Optional<Consumer<M>> metadataConsumer() {
    return given.metadataConsumer();
  }

  @Override
  public OptionalLong getRestoredCheckpointId() {
    return given.getRestoredCheckpointId();
  }

  @Override
  public JobInfo getJobInfo() {
    return given.getJobInfo();
  }

  @Override
  public TaskInfo getTaskInfo() {
    return given.getTaskInfo();
  }
}
