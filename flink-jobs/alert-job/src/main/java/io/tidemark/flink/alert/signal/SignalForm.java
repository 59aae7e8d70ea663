package io.tidemark.flink.alert.signal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/** The rules of a signal in bytes: each has a number, under which its pages lie. */
final class SignalForm {

  static final int FORM = 1;

  private SignalForm() {}

  static int freeNumber(Collection<RuleGroups> rules) {
    BitSet taken = new BitSet();
    rules.forEach(rule -> taken.set(rule.number()));
    return taken.nextClearBit(0);
  }

  static void writeRules(SignalStore store, Collection<RuleGroups> rules, PackedOutput out) {
    out.clear();
    out.writeByte(FORM);
    for (RuleGroups rule : rules) {
      out.writeUnsigned(rule.number());
      out.writeBytes(rule.rule().getBytes(UTF_8));
    }
    store.putPage(PageKey.rules(), out.toBytes());
  }

  static void readRules(
      SignalStore store, Map<String, RuleGroups> rules, Consumer<RuleGroups> onChange) {
    byte[] stored = store.page(PageKey.rules());
    if (stored == null) {
      return;
    }
    PackedInput in = new PackedInput(stored);
    in.expectForm(FORM, "Rules of alerts");
    while (in.hasMore()) {
      int number = in.readCount();
      String rule = new String(in.readBytes(), UTF_8);
      rules.put(rule, new RuleGroups(rule, number, store, onChange));
    }
  }
}
