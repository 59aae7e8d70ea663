package io.tidemark.platform.billing.web;

import io.tidemark.contracts.controlapi.model.PlanCharge;
import io.tidemark.contracts.controlapi.model.PlanDocument;
import io.tidemark.contracts.controlapi.model.PlanTax;
import io.tidemark.contracts.controlapi.model.PlanTier;
import io.tidemark.platform.billing.domain.Charge;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.billing.domain.Tax;
import io.tidemark.platform.billing.domain.Tier;
import io.tidemark.platform.billing.domain.TierMode;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Plans between the contract and the rules. */
final class PlanMapping {

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,24}(\\.[0-9]{1,12})?");

  private final List<String> faults = new ArrayList<>();

  private PlanMapping() {}

  static PlanDocument document(PricePlan plan) {
    return new PlanDocument(
            plan.name(), plan.currency(), plan.charges().stream().map(PlanMapping::charge).toList())
        .baseFee(plan.baseFee().toPlainString())
        .minimum(plan.minimum().toPlainString())
        .discountPercent(plan.discountPercent().toPlainString())
        .tax(new PlanTax(plan.tax().name(), plan.tax().ratePercent().toPlainString()));
  }

  private static PlanCharge charge(Charge charge) {
    return new PlanCharge(
            charge.meter(),
            charge.per().toPlainString(),
            charge.tiers().stream()
                .map(
                    tier ->
                        new PlanTier(tier.price().toPlainString())
                            .upTo(tier.upTo() == null ? null : tier.upTo().toPlainString())
                            .flat(tier.flat().toPlainString()))
                .toList())
        .included(charge.included().toPlainString())
        .tiersAre(
            switch (charge.mode()) {
              case GRADUATED -> PlanCharge.TiersAreEnum.GRADUATED;
              case VOLUME -> PlanCharge.TiersAreEnum.VOLUME;
            });
  }

  /**
   * The plan of a document; what rules say of it is checked by who uses it.
   *
   * @throws ProblemException {@code invalid_request}, every field that is no decimal named
   */
  static PricePlan plan(PlanDocument document) {
    PlanMapping mapping = new PlanMapping();
    PricePlan plan = mapping.planOf(document);
    if (!mapping.faults.isEmpty()) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, mapping.faults);
    }
    return plan;
  }

  private PricePlan planOf(PlanDocument document) {
    List<PlanCharge> charges = document.getCharges() == null ? List.of() : document.getCharges();
    List<Charge> read = new ArrayList<>();
    for (int i = 0; i < charges.size(); i++) {
      read.add(chargeOf("charges[" + i + "]", charges.get(i)));
    }
    PlanTax tax = document.getTax();
    return new PricePlan(
        text("name", document.getName()),
        text("currency", document.getCurrency()),
        decimal("base_fee", document.getBaseFee(), "0"),
        decimal("minimum", document.getMinimum(), "0"),
        decimal("discount_percent", document.getDiscountPercent(), "0"),
        tax == null
            ? Tax.NONE
            : new Tax(
                text("tax.name", tax.getName()),
                decimal("tax.rate_percent", tax.getRatePercent(), null)),
        read);
  }

  private Charge chargeOf(String place, PlanCharge charge) {
    if (charge == null) {
      faults.add(place + " is null.");
      return new Charge("", BigDecimal.ONE, BigDecimal.ZERO, TierMode.GRADUATED, List.of());
    }
    List<PlanTier> tiers = charge.getTiers() == null ? List.of() : charge.getTiers();
    List<Tier> read = new ArrayList<>();
    for (int i = 0; i < tiers.size(); i++) {
      String name = place + ".tiers[" + i + "]";
      PlanTier tier = tiers.get(i);
      if (tier == null) {
        faults.add(name + " is null.");
      } else {
        read.add(
            new Tier(
                tier.getUpTo() == null ? null : decimal(name + ".up_to", tier.getUpTo(), null),
                decimal(name + ".price", tier.getPrice(), null),
                decimal(name + ".flat", tier.getFlat(), "0")));
      }
    }
    return new Charge(
        text(place + ".meter", charge.getMeter()),
        decimal(place + ".per", charge.getPer(), null),
        decimal(place + ".included", charge.getIncluded(), "0"),
        charge.getTiersAre() == PlanCharge.TiersAreEnum.VOLUME
            ? TierMode.VOLUME
            : TierMode.GRADUATED,
        read);
  }

  private String text(String field, String sent) {
    if (sent == null || sent.indexOf('\0') >= 0) {
      faults.add(field + " is missing or holds a null character.");
      return "";
    }
    return sent;
  }

  private BigDecimal decimal(String field, @Nullable String sent, @Nullable String whenAbsent) {
    String text = sent == null ? whenAbsent : sent;
    if (text == null || !DECIMAL.matcher(text).matches()) {
      faults.add(
          field + " must be a decimal text such as \"0.15\", at most 12 digits after the point.");
      return BigDecimal.ONE;
    }
    return new BigDecimal(text);
  }
}
