package io.tidemark.platform.tls;

import java.security.GeneralSecurityException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** What doors show to clients; follows its files while the application runs. */
public final class DoorCertificate {

  /** Older versions of TLS are refused. */
  public static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private static final String BUNDLE = "doors";

  private final @Nullable SslBundles bundles;
  private final @Nullable ReplaceableKeys keys;
  private final @Nullable SSLContext context;

  private DoorCertificate(
      @Nullable SslBundles bundles, @Nullable ReplaceableKeys keys, @Nullable SSLContext context) {
    this.bundles = bundles;
    this.keys = keys;
    this.context = context;
  }

  /** No certificate: the doors are plain. */
  public static DoorCertificate none() {
    return new DoorCertificate(null, null, null);
  }

  /** The bundle's certificate, now and whenever it changes. */
  static DoorCertificate of(SslBundles bundles) {
    ReplaceableKeys keys = new ReplaceableKeys(manager(bundles.getBundle(BUNDLE)));
    bundles.addBundleUpdateHandler(BUNDLE, changed -> keys.replace(manager(changed)));
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, null, null);
      return new DoorCertificate(bundles, keys, context);
    } catch (GeneralSecurityException broken) {
      throw new IllegalStateException("This Java has no TLS", broken);
    }
  }

  private static X509ExtendedKeyManager manager(SslBundle bundle) {
    for (KeyManager manager : bundle.getManagers().getKeyManagers()) {
      if (manager instanceof X509ExtendedKeyManager usable) {
        return usable;
      }
    }
    throw new IllegalStateException(
        "TIDEMARK_TLS_CERTIFICATE and TIDEMARK_TLS_PRIVATE_KEY hold no certificate with its key");
  }

  /** The certificate of now, where there is one. */
  SslBundle bundle() {
    return Objects.requireNonNull(bundles).getBundle(BUNDLE);
  }

  /** Tells of each change of the certificate. */
  void onChange(Consumer<SslBundle> listener) {
    Objects.requireNonNull(bundles).addBundleUpdateHandler(BUNDLE, listener);
  }

  /** Where there is one: what signs for it. */
  public Optional<X509ExtendedKeyManager> keyManager() {
    return Optional.ofNullable(keys);
  }

  /** Where there is one: how sockets are encrypted with it. */
  public Optional<SSLContext> context() {
    return Optional.ofNullable(context);
  }

  /** Whether doors are encrypted. */
  public boolean isSet() {
    return Objects.nonNull(keys);
  }
}
