package io.tidemark.flink.rollup.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.io.control.ControlRecord;
import io.tidemark.flink.usage.UsageJob;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The rollup job over an input, and then, in the same process, the usage job over the same points
 * and the rows that the first wrote. The figure of the usage job ends when the records of all
 * points are committed; a run whose records do not add up has none.
 */
final class MeteredRun {

  private final Lab lab;
  private final FlinkProcess process;

  MeteredRun(Lab lab, FlinkProcess process) {
    this.lab = lab;
    this.process = process;
  }

  /** What both jobs used for the same points. */
  record Pair(Result rollup, Result usage) {}

  Pair measure(Input input) throws Exception {
    RunOrder order = lab.order(Contestant.ROLLUP, input);
    Result rollup = lab.run(process, order, input);
    RunOrder metered = order.by(Contestant.USAGE);
    lab.broker().createTopics(metered.job().topics(metered.outputs()));
    sendTenant(metered);
    Result usage = meter(metered, input, rollup.rows());
    lab.broker().forget(UsageJob.CONSUMER_GROUP);
    lab.discard(metered);
    lab.discard(order);
    return new Pair(rollup, usage);
  }

  private Result meter(RunOrder order, Input input, long rows) throws Exception {
    String topic = order.job().topics(order.outputs()).get(0);
    double before = process.cpuSeconds();
    long began = System.nanoTime();
    String job = process.order(order);
    try (WrittenUsage written = new WrittenUsage(order.bootstrapServers(), topic)) {
      written.await(process, job, input.points(), WrittenUsage.POINTS);
      double cpu = process.cpuSeconds() - before;
      double wall = (System.nanoTime() - began) / 1e9;
      // Rows are of the hour that goes on, whose second record waits for most of a minute.
      written.await(process, job, rows, WrittenUsage.ROWS);
      written.await(process, job, input.fleet().series(), WrittenUsage.SERIES);
      written.check(input.points(), WrittenUsage.POINTS);
      FlinkRest.Checkpoints checkpoints = process.rest().checkpoints(job, 0);
      process.rest().cancel(job);
      process.awaitEnd();
      return new Result(input.points(), rows, cpu, wall, checkpoints);
    }
  }

  /** Batches of a tenant that is not known wait. */
  private static void sendTenant(RunOrder order) throws Exception {
    ControlRecord tenant = LargeTenant.record();
    String topic = ShippedArguments.of(ShippedArguments.USAGE, order).get("tenants.topic");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", order.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>(topic, tenant.key().getBytes(UTF_8), tenant.value()))
          .get();
    }
  }
}
