package io.tidemark.stack;

/** Where the lifecycle tells people what it does; called from several threads. */
@FunctionalInterface
public interface Progress {
  void line(String text);

  /** One line after the other on standard output. */
  static Progress console() {
    return text -> {
      synchronized (System.out) {
        System.out.println(text);
        System.out.flush();
      }
    };
  }
}
