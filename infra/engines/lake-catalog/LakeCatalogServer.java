import io.tidemark.flink.lake.LakeCatalog;
import java.net.InetSocketAddress;
import org.apache.iceberg.rest.RESTCatalogAdapter;
import org.apache.iceberg.rest.RESTCatalogServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/**
 * Serves the lake's catalog by Iceberg's REST protocol, in plain text to everybody who reaches it: a
 * stand-in for a vendor's catalog, with {@code TIDEMARK_CATALOG=rest}. Java runs this file as it is.
 *
 * <p>Arguments: host, port, JDBC URL of the catalog, its user, warehouse. {@code
 * TIDEMARK_CATALOG_PASSWORD} is the user's.
 */
final class LakeCatalogServer {
  public static void main(String[] arguments) throws Exception {
    LakeCatalog catalog =
        LakeCatalog.open(
            arguments[2],
            arguments[3],
            System.getenv("TIDEMARK_CATALOG_PASSWORD"),
            arguments[4]);
    ServletContextHandler handler = new ServletContextHandler();
    handler.addServlet(
        new ServletHolder(new RESTCatalogServlet(new RESTCatalogAdapter(catalog))), "/*");
    Server server =
        new Server(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
    server.setHandler(handler);
    server.start();
    server.join();
  }
}
