package io.tidemark.platform.shared;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list.
 *
 * @param items in the list's order
 * @param next what {@link PageRequest#after} of the next page is; null on the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {

  public Page {
    items = List.copyOf(items);
  }

  /**
   * The page that a query found which was asked for one item more than the page may hold.
   *
   * @param place where an item stands in the list
   */
  public static <T> Page<T> of(List<T> oneMore, PageRequest request, Function<T, String> place) {
    if (oneMore.size() <= request.limit()) {
      return new Page<>(oneMore, null);
    }
    List<T> items = oneMore.subList(0, request.limit());
    return new Page<>(items, place.apply(items.get(items.size() - 1)));
  }
}
