package io.tidemark.flink.alert.signal;

/**
 * Names of a signal's pages. Minutes lie in slots that are used again: what is in one says of which
 * minute it is, and nothing has to be removed when a minute is over.
 */
final class PageKey {

  /** Groups of a page. A row that comes late has one page written, and not the whole signal. */
  static final int GROUPS = 256;

  /** Numbers of slots of decisions; a few more minutes than late rows can revise. */
  static final int DECISION_SLOTS = 64;

  private static final int KIND_SHIFT = 60;
  private static final int PAGE_BITS = 20;
  private static final int SLOT_BITS = 6;

  private static final long TOTALS = 1;
  private static final long FAR_TOTALS = 4;
  private static final long LABELS = 7;
  private static final long RULES = 8;
  private static final long QUIET = 9;
  private static final long TRACKED = 10;
  private static final long DECISIONS = 11;

  private PageKey() {}

  static int pageOf(int group) {
    return group / GROUPS;
  }

  private static long key(long kind, long place, int page) {
    return kind << KIND_SHIFT | place << PAGE_BITS | page;
  }

  static long totals(int side, long slot, int page) {
    return key(TOTALS + side, slot, page);
  }

  /** Of minutes that have no slot. */
  static long farTotals(int side, long moment, int page) {
    return key(FAR_TOTALS + side, moment, page);
  }

  static long labels(int page) {
    return key(LABELS, 0, page);
  }

  static long rules() {
    return key(RULES, 0, 0);
  }

  static long quiet(int rule, int page) {
    return key(QUIET, rule, page);
  }

  static long tracked(int rule, int page) {
    return key(TRACKED, rule, page);
  }

  static long decisions(int rule, long slot, int page) {
    return key(DECISIONS, (long) rule << SLOT_BITS | slot, page);
  }
}
