package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.junit.jupiter.api.Test;

class SafelyClosedWriterTest {

  private final List<String> called = new ArrayList<>();
  private final SafelyClosedWriter<String> writer = new SafelyClosedWriter<>(failing());

  @Test
  void aFailedSendDoesNotFailTheClose() {
    assertDoesNotThrow(writer::close);

    assertEquals(List.of("close"), called);
  }

  /** Also a method that a later Flink adds must not be answered by the interface's own default. */
  @Test
  void everyOtherFailureIsThrown() throws Exception {
    for (Class<?> type : List.of(StatefulSinkWriter.class, CommittingSinkWriter.class)) {
      for (Method method : type.getMethods()) {
        if (!method.getName().equals("close")) {
          var thrown =
              assertThrows(
                  InvocationTargetException.class, () -> method.invoke(writer, arguments(method)));
          assertEquals(method.getName(), thrown.getCause().getMessage());
        }
      }
    }
  }

  private static Object[] arguments(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(type -> type == boolean.class ? (Object) true : type == long.class ? 1L : null)
        .toArray();
  }

  /** A writer whose every method fails with its own name. */
  @SuppressWarnings("unchecked")
  private StatefulSinkWriter<String, KafkaWriterState> failing() {
    return (StatefulSinkWriter<String, KafkaWriterState>)
        Proxy.newProxyInstance(
            SafelyClosedWriterTest.class.getClassLoader(),
            new Class<?>[] {StatefulSinkWriter.class, CommittingSinkWriter.class},
            (proxy, method, arguments) -> {
              called.add(method.getName());
              throw new IOException(method.getName());
            });
  }
}
