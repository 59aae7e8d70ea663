package io.tidemark.platform.receipts.web;

import io.tidemark.contracts.controlapi.ReceiptsApi;
import io.tidemark.contracts.controlapi.model.Receipt;
import io.tidemark.contracts.controlapi.model.ReceiptState;
import io.tidemark.contracts.controlapi.model.RejectedPoints;
import io.tidemark.platform.audit.ControlApiCall;
import io.tidemark.platform.audit.ControlApiGuard;
import io.tidemark.platform.receipts.Receipts;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProcessRole;
import java.time.ZoneOffset;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

/** Receipts for those who send. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class ReceiptsController implements ReceiptsApi {

  private final ControlApiGuard guard;
  private final CurrentCaller callers;
  private final Receipts receipts;

  ReceiptsController(ControlApiGuard guard, CurrentCaller callers, Receipts receipts) {
    this.guard = guard;
    this.callers = callers;
    this.receipts = receipts;
  }

  @Override
  public ResponseEntity<Receipt> getReceipt(String receiptId) {
    ControlApiCall call =
        guard.enter(
            callers.current().organization().value(),
            Permission.METRICS_WRITE,
            "receipt.read",
            "receipt",
            receiptId);
    return ResponseEntity.ok(receipt(receipts.of(call.organization(), receiptId)));
  }

  private static Receipt receipt(io.tidemark.platform.receipts.Receipt receipt) {
    return new Receipt(
            receipt.batchId(),
            receipt.environment().value(),
            state(receipt),
            receipt.receivedAt().atOffset(ZoneOffset.UTC),
            receipt.acceptedPoints(),
            receipt.rejected().stream()
                .map(
                    rejected ->
                        new RejectedPoints(
                            rejected.reason(),
                            rejected.points(),
                            rejected.byGateway()
                                ? RejectedPoints.AtEnum.GATEWAY
                                : RejectedPoints.AtEnum.PIPELINE))
                .toList(),
            receipt.timesCounted(),
            receipt.duplicates(),
            receipt.others())
        .idempotencyKey(receipt.idempotencyKey())
        .lastDuplicateAt(
            receipt.lastDuplicateAt() == null
                ? null
                : receipt.lastDuplicateAt().atOffset(ZoneOffset.UTC));
  }

  private static ReceiptState state(io.tidemark.platform.receipts.Receipt receipt) {
    if (receipt.acceptedPoints() == 0) {
      return ReceiptState.REJECTED;
    }
    return receipt.rejected().isEmpty() ? ReceiptState.ACCEPTED : ReceiptState.PARTLY_REJECTED;
  }
}
