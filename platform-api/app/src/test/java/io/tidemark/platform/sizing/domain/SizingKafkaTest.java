package io.tidemark.platform.sizing.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemark.platform.sizing.yaml.SizingFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Throughput of Kafka clusters: the tables of docs/scaling. */
class SizingKafkaTest {

  private static final BrokerThroughput M5_2XLARGE = new BrokerThroughput(250, 287.5, 320);

  private final PriceList prices = SizingFiles.planner().prices();

  /** The published figures: three brokers, three copies, in MB/s. */
  @ParameterizedTest
  @CsvSource({
    "m5.large, gp3, 2, 58",
    "m5.xlarge, gp3, 2, 96",
    "m5.2xlarge, gp3, 2, 192",
    "m5.4xlarge, gp3, 2, 200",
    "m5.4xlarge, gp3-1000, 2, 384",
    "m5.8xlarge, gp3-1000, 2, 680",
    "m5.12xlarge, gp3-1000, 2, 800",
    "m5.2xlarge, gp3, 0, 200",
    "m5.2xlarge, gp3, 4, 128",
    "m5.2xlarge, gp3, 6, 96"
  })
  void clustersAreSizedAsPublished(String machine, String volume, int groups, int published) {
    BrokerThroughput broker = prices.broker(machine, volume);
    double three = broker.planned(3, 3, groups);
    assertThat(Math.round(three)).isEqualTo(published);
    // Six and nine brokers scale linearly.
    assertThat(broker.planned(6, 3, groups)).isCloseTo(2 * three, within(1e-9));
    assertThat(broker.planned(9, 3, groups)).isCloseTo(3 * three, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "m5.large, gp3, NETWORK",
    "m5.4xlarge, gp3, STORAGE",
    "m5.8xlarge, gp3-1000, STORAGE_NETWORK"
  })
  void theResourceThatBindsIsTold(String machine, String volume, Resource binding) {
    assertThat(prices.broker(machine, volume).binding(3, 3, 2).resource()).isEqualTo(binding);
  }

  /** One copy and nobody who reads: nothing leaves a broker. */
  @Test
  void aBrokerThatNobodyReadsIsBoundByItsVolume() {
    assertThat(M5_2XLARGE.binding(1, 1, 0))
        .isEqualTo(new BrokerThroughput.Limit(Resource.STORAGE, 250));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 64, 191.9, 192, 192.1, 1000})
  void brokersAreTheFewestThatCarryTheRate(double rate) {
    long brokers = M5_2XLARGE.brokersFor(rate, 3, 2);
    assertThat(M5_2XLARGE.planned(brokers, 3, 2)).isGreaterThanOrEqualTo(rate - 1e-6);
    if (brokers > 3) {
      assertThat(M5_2XLARGE.planned(brokers - 1, 3, 2)).isLessThan(rate);
    }
  }
}
