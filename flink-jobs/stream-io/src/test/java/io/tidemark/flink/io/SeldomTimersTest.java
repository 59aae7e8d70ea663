package io.tidemark.flink.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.junit.jupiter.api.Test;

class SeldomTimersTest {

  private static final long NOW = 1_000_000;

  private final List<Long> registered = new ArrayList<>();

  private final ProcessingTimeService clock =
      new ProcessingTimeService() {
        @Override
        public long getCurrentProcessingTime() {
          return NOW;
        }

        @Override
        public ScheduledFuture<?> registerTimer(long time, ProcessingTimeCallback target) {
          registered.add(time);
          return null;
        }
      };

  @Test
  void aTimerGoesOffTenSecondsLaterAtTheEarliest() {
    ProcessingTimeService timers =
        new SeldomTimers(given("getProcessingTimeService", clock)).getProcessingTimeService();

    timers.registerTimer(NOW + 500, time -> {});
    timers.registerTimer(NOW + 60_000, time -> {});

    assertEquals(NOW, timers.getCurrentProcessingTime());
    assertEquals(List.of(NOW + SeldomTimers.EARLIEST.toMillis(), NOW + 60_000), registered);
  }

  /** Also a method that a later Flink adds must not be answered by the interface's own default. */
  @Test
  void everythingElseIsAsItWasGiven() throws Exception {
    for (var method : WriterInitContext.class.getMethods()) {
      if (!method.getName().equals("getProcessingTimeService")) {
        WriterInitContext none = new SeldomTimers(given("", null));
        var failure =
            assertThrows(
                java.lang.reflect.InvocationTargetException.class, () -> method.invoke(none));
        assertEquals(method.getName(), failure.getCause().getMessage());
      }
    }
  }

  /** Answers one method; any other fails with its name. */
  private static WriterInitContext given(String name, Object answer) {
    return (WriterInitContext)
        Proxy.newProxyInstance(
            WriterInitContext.class.getClassLoader(),
            new Class<?>[] {WriterInitContext.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(name)) {
                return answer;
              }
              throw new IllegalStateException(method.getName());
            });
  }
}
