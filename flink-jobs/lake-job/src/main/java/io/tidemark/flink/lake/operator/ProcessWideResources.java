package io.tidemark.flink.lake.operator;

import java.lang.reflect.Field;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.iceberg.util.ThreadPools;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives back what Iceberg and the PostgreSQL driver keep until the process ends: threads, shutdown
 * hooks and an entry of the {@link DriverManager}. Each of them holds the class loader of the job.
 * Flink makes a new one with every restart of a job, of some 30 MB of metaspace; a TaskManager that
 * kept them all would end after a few restarts.
 */
final class ProcessWideResources {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessWideResources.class);
  private static final String NAME = "lake-process-wide-resources";

  private ProcessWideResources() {}

  /**
   * Releases them when the last task of the job has left the process. Where these classes were
   * loaded with Flink, all jobs share them and nothing is released.
   */
  static void releaseWith(RuntimeContext context) {
    if (ProcessWideResources.class.getClassLoader() == RuntimeContext.class.getClassLoader()) {
      return;
    }
    ClassLoader loader = context.getUserCodeClassLoader();
    context.registerUserCodeClassLoaderReleaseHookIfAbsent(NAME, () -> release(loader));
  }

  /**
   * @param loader the class loader of the threads that use Iceberg; those of its hooks have it, too
   */
  static void release(ClassLoader loader) {
    ThreadPools.getWorkerPool().shutdownNow();
    ThreadPools.getDeleteWorkerPool().shutdownNow();
    removeShutdownHooks(loader);
    deregisterDrivers();
  }

  /**
   * Drivers that this class sees are those that its own class loader has loaded, and shared ones.
   */
  private static void deregisterDrivers() {
    ClassLoader own = ProcessWideResources.class.getClassLoader();
    List<Driver> drivers =
        DriverManager.drivers()
            .filter(driver -> driver.getClass().getClassLoader() == own)
            .toList();
    for (Driver driver : drivers) {
      try {
        DriverManager.deregisterDriver(driver);
      } catch (SQLException e) {
        LOG.warn("{} stays registered and holds the classes of this job", driver, e);
      }
    }
  }

  /** Iceberg's pools register hooks that nothing can remove; the JVM alone knows them. */
  private static void removeShutdownHooks(ClassLoader loader) {
    try {
      Class<?> registry = Class.forName("java.lang.ApplicationShutdownHooks");
      Field field = registry.getDeclaredField("hooks");
      field.setAccessible(true);
      List<Thread> own;
      synchronized (registry) {
        own =
            ((Map<?, ?>) field.get(null))
                .keySet().stream()
                    .map(Thread.class::cast)
                    .filter(hook -> hook.getContextClassLoader() == loader)
                    .toList();
      }
      own.forEach(Runtime.getRuntime()::removeShutdownHook);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "Shutdown hooks stay and hold the classes of this job; start the TaskManager with"
              + " --add-opens=java.base/java.lang=ALL-UNNAMED",
          e);
    }
  }
}
