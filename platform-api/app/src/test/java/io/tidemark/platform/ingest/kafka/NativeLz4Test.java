package io.tidemark.platform.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class NativeLz4Test {

  /** As in an executable jar: the classes come from another loader than that of the class path. */
  @Test
  void theFastestFormIsTheNativeOneWhereverTheClassesComeFrom() throws Exception {
    URL[] places = new URL[3];
    Class<?>[] classes = {LZ4Factory.class, NativeLz4.class, Logger.class};
    for (int i = 0; i < places.length; i++) {
      places[i] = classes[i].getProtectionDomain().getCodeSource().getLocation();
    }
    try (URLClassLoader jar = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
      Class<?> factory = jar.loadClass(LZ4Factory.class.getName());
      assertThat(factory.getMethod("fastestInstance").invoke(null).toString())
          .as("were it native by itself, nobody would have to load it")
          .doesNotContain("JNI");
      jar.loadClass(NativeLz4.class.getName()).getMethod("load").invoke(null);
      assertThat(factory.getMethod("fastestInstance").invoke(null).toString()).contains("JNI");
    }
  }
}
