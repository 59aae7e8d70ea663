package io.tidemark.provision;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts and files. Says whether a thing was made from exactly these. */
public final class ContentDigest {
  private final MessageDigest digest;

  public ContentDigest() {
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is part of every JDK", e);
    }
  }

  public ContentDigest add(String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** Adds a file piece by piece: jars are larger than the heap of {@code make up}. */
  public ContentDigest add(Path file) throws IOException {
    try (InputStream bytes = new DigestInputStream(Files.newInputStream(file), digest)) {
      bytes.transferTo(OutputStream.nullOutputStream());
    }
    return this;
  }

  /** 64 digits of what was added so far; what is added afterwards begins anew. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
