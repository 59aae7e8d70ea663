package io.tidemark.platform.shared;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Versions of objects as entity tags: version 3 is {@code "3"}. */
public final class EntityTags {

  private static final Pattern FORM = Pattern.compile("\"(\\d{1,18})\"");

  private EntityTags() {}

  public static String of(long version) {
    return "\"" + version + "\"";
  }

  /**
   * What an If-Match header asks for; a tag of another form matches nothing.
   *
   * @param ifMatch the header; null when absent, which asks for nothing
   */
  public static ExpectedVersion expected(@Nullable String ifMatch) {
    if (ifMatch == null || ifMatch.strip().equals("*")) {
      return ExpectedVersion.ANY;
    }
    Matcher tag = FORM.matcher(ifMatch.strip());
    return tag.matches() ? new ExpectedVersion(Long.parseLong(tag.group(1))) : ExpectedVersion.NONE;
  }

  /**
   * As above, for changes that must say what they are meant for.
   *
   * @throws ProblemException {@code precondition_required}
   */
  public static ExpectedVersion required(@Nullable String ifMatch) {
    if (ifMatch == null || ifMatch.isBlank()) {
      throw ProblemException.of(
          ErrorCode.PRECONDITION_REQUIRED,
          "Send the header If-Match with the ETag that a GET of the object gave, so that no other"
              + " change is overwritten unseen.");
    }
    return expected(ifMatch);
  }
}
