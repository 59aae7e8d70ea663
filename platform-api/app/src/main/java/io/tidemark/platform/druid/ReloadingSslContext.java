package io.tidemark.platform.druid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A context whose next connection shows and trusts what its files hold by then; connections that
 * stand stay. While files cannot be read, the last that could be is used.
 */
final class ReloadingSslContext extends SSLContext {

  private static final Logger LOG = LoggerFactory.getLogger(ReloadingSslContext.class);

  private ReloadingSslContext(SSLContext first, SSLContextSpi spi) {
    super(spi, first.getProvider(), first.getProtocol());
  }

  /**
   * Reads the files now, and again whenever one has changed.
   *
   * @param files that are looked at
   * @param read makes a context of them; what it throws now is thrown on
   */
  static SSLContext of(List<Path> files, Supplier<SSLContext> read) {
    List<FileTime> changed = changed(files);
    SSLContext first = read.get();
    return new ReloadingSslContext(first, new FileContext(files, read, changed, first));
  }

  private static List<FileTime> changed(List<Path> files) {
    List<FileTime> times = new ArrayList<>();
    for (Path file : files) {
      try {
        times.add(Files.getLastModifiedTime(file));
      } catch (IOException absent) {
        throw new IllegalStateException(file + " cannot be read", absent);
      }
    }
    return times;
  }

  private static final class FileContext extends SSLContextSpi {
    private final List<Path> files;
    private final Supplier<SSLContext> read;
    private List<FileTime> changed;
    private SSLContext last;

    FileContext(
        List<Path> files, Supplier<SSLContext> read, List<FileTime> changed, SSLContext first) {
      this.files = files;
      this.read = read;
      this.changed = changed;
      this.last = first;
    }

    private synchronized SSLContext now() {
      try {
        List<FileTime> times = changed(files);
        if (!times.equals(changed)) {
          last = read.get();
          changed = times;
          LOG.info("What is shown to Druid is read again: {}", files);
        }
      } catch (RuntimeException unreadable) {
        LOG.warn(
            "What is shown to Druid cannot be read; what it was before is used: {}",
            unreadable.toString());
      }
      return last;
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
        throws KeyManagementException {
      throw new KeyManagementException("Files say what is shown and trusted");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
      return now().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
      return now().getServerSocketFactory();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
      return now().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
      return now().createSSLEngine(host, port);
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
      return now().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
      return now().getClientSessionContext();
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
      return now().getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
      return now().getSupportedSSLParameters();
    }
  }
}
