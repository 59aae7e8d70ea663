package io.tidemark.stack.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.stack.JsonHttp;
import io.tidemark.stack.StackFailure;
import io.tidemark.stack.StackIdentity;
import io.tidemark.stack.StackSettings;
import io.tidemark.stack.process.ProcessSpec;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An object store that speaks the Blob API of Azure Storage: Azurite over a folder, with one
 * account. It holds the lake alone, and does not list the files of a prefix.
 */
final class AzureStore {
  private static final String ACCOUNT = StackSettings.AZURE_ACCOUNT;
  private static final String API_VERSION = "2021-08-06";
  private static final String ALGORITHM = "HmacSHA256";
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final int CREATED = 201;
  private static final int REFUSED = 400;
  private static final int CONFLICT = 409;

  private final StackSettings settings;
  private final StackIdentity identity;
  private final Clock clock;

  AzureStore(StackSettings settings, StackIdentity identity, Clock clock) {
    this.settings = settings;
    this.identity = identity;
    this.clock = clock;
  }

  ProcessSpec spec() {
    Path program = settings.tool("azurite").resolve("node_modules/azurite/dist/src/blob/main.js");
    if (!Files.exists(program) || !Files.isDirectory(bundles(settings))) {
      throw new StackFailure(
          "Azure's object store is not there yet. Run `make azure-store`, or unset"
              + " TIDEMARK_STORAGE.");
    }
    Path folder = settings.data(ObjectStore.ID);
    return new ProcessSpec(
        ObjectStore.ID,
        List.of(
            "node",
            program.toString(),
            "--blobHost",
            "127.0.0.1",
            "--blobPort",
            Integer.toString(settings.ports().of(ObjectStore.ID)),
            "--location",
            folder.toString(),
            "--silent",
            "--disableTelemetry",
            // Azure's SDKs ask for versions of the API before the emulator knows them.
            "--skipApiVersionCheck"),
        Map.of("AZURITE_ACCOUNTS", ACCOUNT + ":" + key(identity)),
        List.of(program),
        List.of(),
        Map.of(ObjectStore.ID, settings.ports().of(ObjectStore.ID)),
        () -> Folders.create(folder),
        this::isReady,
        this::createContainer,
        Duration.ofSeconds(60),
        new ProcessSpec.Stop("TERM", Duration.ofSeconds(10)));
  }

  /** What processes need to use it. */
  static Map<String, String> environment(
      StackSettings settings, StackIdentity identity, String address) {
    return Map.of(
        "TIDEMARK_LAKE_BUNDLES",
        bundles(settings).toString(),
        "TIDEMARK_LAKE_FILE_IO",
        String.join(
            ",",
            "adls.auth.shared-key.account.name=" + ACCOUNT,
            "adls.auth.shared-key.account.key=" + key(identity),
            // By its name a connection string, by what Iceberg does with it an address.
            "adls.connection-string." + StackSettings.AZURE_HOST + "=" + url(address)));
  }

  private static String url(String address) {
    return "http://" + address + "/" + ACCOUNT;
  }

  private static Path bundles(StackSettings settings) {
    return settings.tool("azure-store");
  }

  /** A key of an account is Base64. */
  private static String key(StackIdentity identity) {
    return Base64.getEncoder()
        .encodeToString(identity.get("TIDEMARK_S3_SECRET_KEY").getBytes(UTF_8));
  }

  /** Whoever shows no key is refused, which tells that it serves. */
  private boolean isReady() throws IOException, InterruptedException {
    return new JsonHttp().get(url(settings.ports().address(ObjectStore.ID))).status() == REFUSED;
  }

  private void createContainer() throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(creation(), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != CREATED && response.statusCode() != CONFLICT) {
      throw new StackFailure(
          "Azure's object store made no container: " + response.statusCode() + response.body());
    }
  }

  /** Signed by the account's key, as Azure Storage wants it of those who are no users. */
  private HttpRequest creation() throws GeneralSecurityException {
    String date = DATE.format(clock.instant());
    String path = "/" + ACCOUNT + "/" + StackSettings.bucket("iceberg");
    String signed =
        "PUT%sx-ms-date:%s\nx-ms-version:%s\n/%s%s\nrestype:container"
            .formatted("\n".repeat(12), date, API_VERSION, ACCOUNT, path);
    Mac mac = Mac.getInstance(ALGORITHM);
    mac.init(new SecretKeySpec(Base64.getDecoder().decode(key(identity)), ALGORITHM));
    String signature = Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(UTF_8)));
    URI container =
        URI.create(
            "http://" + settings.ports().address(ObjectStore.ID) + path + "?restype=container");
    return HttpRequest.newBuilder(container)
        .timeout(Duration.ofSeconds(10))
        .header("x-ms-date", date)
        .header("x-ms-version", API_VERSION)
        .header("Authorization", "SharedKey " + ACCOUNT + ":" + signature)
        .PUT(BodyPublishers.noBody())
        .build();
  }
}
