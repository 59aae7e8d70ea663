package io.tidemark.platform.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.slf4j.LoggerFactory;
import org.subethamail.smtp.auth.LoginFailedException;
import org.subethamail.smtp.auth.PlainAuthenticationHandlerFactory;
import org.subethamail.smtp.server.SMTPServer;

/** A real mail server on a free port, which keeps what it took. */
public final class TestingMailServer implements AutoCloseable {

  public static final String USER = "tidemark";
  public static final String PASSWORD = "a password";
  private static final char[] STORE = "of this test".toCharArray();

  private final List<byte[]> taken = new CopyOnWriteArrayList<>();
  private final SMTPServer server;

  static {
    // Clients that turn away from it are not its failures.
    ((Logger) LoggerFactory.getLogger("org.subethamail")).setLevel(Level.OFF);
  }

  private TestingMailServer(SMTPServer.Builder server) {
    this.server =
        server
            .bindAddress(InetAddress.getLoopbackAddress())
            .hostName("mail.test")
            .messageHandler((context, from, to, data) -> taken.add(data))
            .build();
    this.server.start();
  }

  /** One that encrypts nothing and knows nobody. */
  public static TestingMailServer inTheOpen() {
    return new TestingMailServer(SMTPServer.port(0));
  }

  /** One that takes mail from its user only, and nothing before STARTTLS. */
  public static TestingMailServer startTls(Identity identity) {
    return new TestingMailServer(
        withUser(SMTPServer.port(0)).requireTLS().startTlsSocketFactory(identity.context()));
  }

  /** One that takes mail from its user only, and encrypts from the first byte. */
  public static TestingMailServer tls(Identity identity) {
    return new TestingMailServer(
        withUser(SMTPServer.port(0)).serverSocketFactory(identity.context()));
  }

  private static SMTPServer.Builder withUser(SMTPServer.Builder server) {
    return server
        .requireAuth()
        .authenticationHandlerFactory(
            new PlainAuthenticationHandlerFactory(
                (user, password, context) -> {
                  if (!user.equals(USER) || !password.equals(PASSWORD)) {
                    throw new LoginFailedException();
                  }
                }));
  }

  public int port() {
    return server.getPortAllocated();
  }

  /** In the order of their arrival. */
  public List<MimeMessage> taken() throws MessagingException {
    List<MimeMessage> messages = new ArrayList<>();
    for (byte[] message : taken) {
      messages.add(
          new MimeMessage(
              Session.getInstance(new Properties()), new ByteArrayInputStream(message)));
    }
    return messages;
  }

  @Override
  public void close() {
    server.stop();
  }

  /** A key with a certificate that vouches for itself, in the file too. */
  public record Identity(SSLContext context, Path certificate) {

    /**
     * A new one.
     *
     * @param name whose it is, as keytool says it: {@code ip:127.0.0.1}
     */
    public static Identity of(String name, Path folder)
        throws IOException, InterruptedException, GeneralSecurityException {
      Path store = folder.resolve(name.replace(':', '-') + ".p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "server",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=mail server of a test",
                  "-ext",
                  "san=" + name,
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  new String(STORE))
              .redirectErrorStream(true)
              .start();
      String told = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new IllegalStateException("keytool: " + told);
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, STORE);
      }
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, STORE);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      Path certificate = folder.resolve(name.replace(':', '-') + ".pem");
      Files.writeString(
          certificate,
          "-----BEGIN CERTIFICATE-----\n"
              + Base64.getMimeEncoder().encodeToString(keys.getCertificate("server").getEncoded())
              + "\n-----END CERTIFICATE-----\n");
      return new Identity(context, certificate);
    }
  }
}
