package io.tidemark.flink.lake.operator;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tidemark.flink.lake.LakeCatalog;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.util.ChildFirstClassLoader;
import org.junit.jupiter.api.Test;

class ProcessWideResourcesTest {

  private static final int LOOKS = 100;
  private static final long BETWEEN_LOOKS_NANOS = 50_000_000L;

  @Test
  void theClassLoaderOfAJobGoesWithTheJob() throws Exception {
    WeakReference<ClassLoader> loader = usedBy(true);

    for (int i = 0; loader.get() != null && i < LOOKS; i++) {
      System.gc();
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
    assertNull(loader.get(), "something still holds the classes of the job");
  }

  /** Shows that the test above would see what is kept. */
  @Test
  void withoutAReleaseItStays() throws Exception {
    WeakReference<ClassLoader> loader = usedBy(false);

    System.gc();

    assertNotNull(loader.get());
  }

  /** A job's classes that have used Iceberg's pools and the driver, as a task does. */
  private static WeakReference<ClassLoader> usedBy(boolean isReleased) throws Exception {
    ChildFirstClassLoader loader =
        new ChildFirstClassLoader(
            classPath(),
            ProcessWideResourcesTest.class.getClassLoader(),
            CoreOptions.getParentFirstLoaderPatterns(new Configuration()),
            failure -> {});
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              use(loader, isReleased);
              return null;
            });
    Thread thread = new Thread(task, "task of a job");
    thread.setContextClassLoader(loader);
    thread.start();
    task.get();
    thread.join();
    loader.close();
    return new WeakReference<>(loader);
  }

  private static void use(ClassLoader loader, boolean isReleased)
      throws ReflectiveOperationException, InterruptedException, ExecutionException {
    // Nobody listens there: it comes so far only if this loader has a driver, after those of others
    // are gone.
    Method open =
        Class.forName(LakeCatalog.class.getName(), true, loader)
            .getMethod("open", String.class, String.class, String.class, String.class);
    InvocationTargetException refused =
        assertThrows(
            InvocationTargetException.class,
            () -> open.invoke(null, "jdbc:postgresql://127.0.0.1:1/none", "", "", "file:/none"));
    assertInstanceOf(ConnectException.class, rootOf(refused), () -> rootOf(refused).toString());
    ExecutorService pool =
        (ExecutorService)
            Class.forName("org.apache.iceberg.util.ThreadPools", true, loader)
                .getMethod("getWorkerPool")
                .invoke(null);
    pool.submit(() -> {}).get();
    if (isReleased) {
      Method release =
          Class.forName(ProcessWideResources.class.getName(), true, loader)
              .getDeclaredMethod("release", ClassLoader.class);
      release.setAccessible(true);
      release.invoke(null, loader);
    }
  }

  private static Throwable rootOf(Throwable failure) {
    return failure.getCause() == null ? failure : rootOf(failure.getCause());
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(ProcessWideResourcesTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
