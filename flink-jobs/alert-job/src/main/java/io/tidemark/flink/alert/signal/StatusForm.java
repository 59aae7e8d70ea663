package io.tidemark.flink.alert.signal;

import io.tidemark.flink.alert.packed.PackedInput;
import io.tidemark.flink.alert.packed.PackedOutput;
import io.tidemark.flink.model.alert.AlertStatus;

/** A status in bytes; times are written as they differ from one that the reader knows. */
final class StatusForm {

  private static final int HOLDING = 1;
  private static final int RECOVERING = 1 << 1;
  private static final int MISSING = 1 << 2;
  private static final int INCIDENT = 1 << 3;
  private static final int VALUE = 1 << 4;

  private StatusForm() {}

  static void write(PackedOutput out, AlertStatus status, long at) {
    boolean hasIncident =
        status.incidentSince() != AlertStatus.NONE || status.incidentKey() != AlertStatus.NONE;
    int flags = status.holding() != 0 ? HOLDING : 0;
    flags |= status.recovering() != 0 ? RECOVERING : 0;
    flags |= status.missing() != 0 ? MISSING : 0;
    flags |= hasIncident ? INCIDENT : 0;
    flags |= Double.isNaN(status.value()) ? 0 : VALUE;
    out.writeByte(status.state());
    out.writeByte(flags);
    out.writeSigned(status.since() - at);
    number(out, status.holding());
    number(out, status.recovering());
    number(out, status.missing());
    if (hasIncident) {
      out.writeSigned(status.incidentSince() - at);
      out.writeSigned(status.incidentKey() - at);
    }
    if ((flags & VALUE) != 0) {
      out.writeDouble(status.value());
    }
  }

  private static void number(PackedOutput out, int minutes) {
    if (minutes != 0) {
      out.writeSigned(minutes);
    }
  }

  static AlertStatus read(PackedInput in, long at) {
    int state = in.readByte();
    int flags = in.readByte();
    long since = in.readSigned() + at;
    int holding = number(in, flags & HOLDING);
    int recovering = number(in, flags & RECOVERING);
    int missing = number(in, flags & MISSING);
    boolean hasIncident = (flags & INCIDENT) != 0;
    long incidentSince = hasIncident ? in.readSigned() + at : AlertStatus.NONE;
    long incidentKey = hasIncident ? in.readSigned() + at : AlertStatus.NONE;
    double value = (flags & VALUE) != 0 ? in.readDouble() : Double.NaN;
    return new AlertStatus(
        state, since, holding, recovering, missing, incidentSince, incidentKey, value);
  }

  private static int number(PackedInput in, int isThere) {
    return isThere == 0 ? 0 : (int) in.readSigned();
  }
}
