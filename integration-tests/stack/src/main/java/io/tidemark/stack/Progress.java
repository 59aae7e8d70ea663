package io.tidemark.stack;

/** Output of the lifecycle's progress for people; called from several threads. */
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
