package io.tidemark.flink.model.series;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DescriptorBytesTest {

  @Test
  void attributesAreFoundByTheirWholeNamesAndNotByValues() {
    byte[] bytes =
        DescriptorBytes.encode(
            new SeriesDescriptor(
                "org-a",
                "env-a",
                "cpu",
                MetricKind.GAUGE,
                "1",
                Map.of("host", "a"),
                Map.of("zone", "", "größe", "region", "color", "zone1")));
    byte[] attributes =
        Arrays.copyOfRange(bytes, DescriptorBytes.attributesAt(bytes), bytes.length);

    for (String name : new String[] {"zone", "größe", "color"}) {
      assertEquals(true, DescriptorBytes.hasAttribute(attributes, name.getBytes(UTF_8)), name);
    }
    for (String name : new String[] {"host", "region", "zone1", "zon", "colors", ""}) {
      assertEquals(false, DescriptorBytes.hasAttribute(attributes, name.getBytes(UTF_8)), name);
    }
  }
}
