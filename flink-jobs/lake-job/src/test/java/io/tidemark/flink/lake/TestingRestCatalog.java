package io.tidemark.flink.lake;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Iceberg's own server of its REST protocol, in front of a catalog in PostgreSQL. */
public final class TestingRestCatalog implements AutoCloseable {

  private final AtomicInteger losing = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();
  private volatile Runnable meanwhile = () -> {};
  private final String warehouse;
  private final EmbeddedPostgres postgres;
  private final LakeCatalog behind;
  private final Server server;

  public TestingRestCatalog(Path folder) throws Exception {
    warehouse = folder.toUri().toString();
    postgres = EmbeddedPostgres.start();
    behind =
        LakeCatalog.open(
            "jdbc:postgresql://127.0.0.1:" + postgres.getPort() + "/postgres",
            "postgres",
            "",
            warehouse,
            Map.of());
    server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    ServletContextHandler handler = new ServletContextHandler();
    handler.addServlet(new ServletHolder(new LossyServlet()), "/*");
    server.setHandler(handler);
    server.start();
  }

  String uri() {
    return server.getURI().toString();
  }

  public LakeCatalog open() {
    return LakeCatalog.open(uri(), "", "", warehouse, Map.of());
  }

  /** The catalog that the server has. */
  public LakeCatalog behind() {
    return behind;
  }

  /**
   * Does what the next commit asks, and answers that the service is not available.
   *
   * @param after what happens before it is sent again
   */
  public void loseNextAnswer(Runnable after) {
    commits.set(0);
    meanwhile = after;
    losing.set(1);
  }

  /** How often a commit came since then. */
  public int commits() {
    return commits.get();
  }

  @Override
  public void close() throws Exception {
    server.stop();
    behind.close();
    postgres.close();
  }

  private final class LossyServlet extends RESTCatalogServlet {
    private static final long serialVersionUID = 1L;

    LossyServlet() {
      super(new RESTCatalogAdapter(behind));
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      boolean isCommit = request.getRequestURI().contains("/tables/");
      if (isCommit) {
        commits.incrementAndGet();
      }
      if (!isCommit || losing.getAndDecrement() <= 0) {
        super.doPost(request, response);
        return;
      }
      super.doPost(request, new LostAnswer(response));
      meanwhile.run();
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }
  }

  private static final class LostAnswer extends HttpServletResponseWrapper {
    LostAnswer(HttpServletResponse response) {
      super(response);
    }

    @Override
    public PrintWriter getWriter() {
      return new PrintWriter(Writer.nullWriter());
    }
  }
}
