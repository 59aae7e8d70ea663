package io.tidemark.platform.query.application;

import io.tidemark.platform.metricstore.QueryScope;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Places in answers as opaque texts, signed: bound to what may be read, the dataset and the request
 * that they go on with. They carry what {@code now} meant on the first page.
 */
public final class PageTokens {

  private static final byte VERSION = 1;
  private static final Duration LIFETIME = Duration.ofHours(1);
  private static final int SIGNATURE = 16;
  private static final int MAX = 256 * 1024;

  private final SecretKeySpec key;

  /**
   * Tokens.
   *
   * @param secret same in all instances; a new one ends all tokens
   */
  public PageTokens(String secret) {
    this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
  }

  /**
   * Where to go on.
   *
   * @param now what it meant on the first page
   * @param after labels of the last group of the page before
   */
  public record PagePosition(Instant now, List<@Nullable String> after) {}

  /** What a token belongs to. */
  public record Request(QueryScope readable, String dataset, String text) {}

  /** The token for a place. */
  public String token(Request request, PagePosition place) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeLong(place.now().toEpochMilli());
      out.writeInt(place.after().size());
      for (String label : place.after()) {
        out.writeBoolean(label != null);
        byte[] text = (label == null ? "" : label).getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    byte[] content = bytes.toByteArray();
    byte[] token = Arrays.copyOf(content, content.length + SIGNATURE);
    System.arraycopy(signature(request, content), 0, token, content.length, SIGNATURE);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
  }

  /**
   * The place that a token means.
   *
   * @throws ProblemException {@code invalid_query}
   */
  public PagePosition place(Request request, String token, Instant now) {
    if (token.length() > MAX) {
      throw refused();
    }
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException notBase64) {
      throw refused();
    }
    if (bytes.length <= SIGNATURE) {
      throw refused();
    }
    byte[] content = Arrays.copyOf(bytes, bytes.length - SIGNATURE);
    byte[] signature = Arrays.copyOfRange(bytes, content.length, bytes.length);
    if (!MessageDigest.isEqual(signature, signature(request, content))) {
      throw refused();
    }
    PagePosition place = read(content);
    if (place.now().plus(LIFETIME).isBefore(now)) {
      throw ProblemException.of(
          ErrorCode.INVALID_QUERY,
          "page_token has expired. Begin again with the first page, without page_token.");
    }
    return place;
  }

  private static PagePosition read(byte[] content) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
      if (in.readByte() != VERSION) {
        throw refused();
      }
      Instant now = Instant.ofEpochMilli(in.readLong());
      List<@Nullable String> after = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        boolean present = in.readBoolean();
        String label = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        after.add(present ? label : null);
      }
      return new PagePosition(now, after);
    } catch (IOException brokenOff) {
      throw refused();
    }
  }

  private byte[] signature(Request request, byte[] content) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      for (String text :
          List.of(
              "page",
              request.readable().organization().value(),
              String.join(",", request.readable().environments()),
              request.dataset(),
              request.text())) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        mac.update(Integer.toString(bytes.length).getBytes(StandardCharsets.UTF_8));
        mac.update((byte) ':');
        mac.update(bytes);
      }
      return Arrays.copyOf(mac.doFinal(content), SIGNATURE);
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("HmacSHA256 is part of every JDK", missing);
    }
  }

  private static ProblemException refused() {
    return ProblemException.of(
        ErrorCode.INVALID_QUERY,
        "page_token does not belong to this request. Send the body of the page before unchanged,"
            + " or begin again without page_token.");
  }
}
