package io.tidemark.platform.billing;

import io.tidemark.platform.billing.domain.Charge;
import io.tidemark.platform.billing.domain.PricePlan;
import io.tidemark.platform.billing.domain.Tax;
import io.tidemark.platform.billing.domain.Tier;
import io.tidemark.platform.billing.domain.TierMode;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.yaml.snakeyaml.Yaml;

/** Plans that can be chosen, as {@code contracts/vocabulary/price-plans.yaml}. */
@Component
class PlanCatalog {

  private final Map<String, PricePlan> plans = new LinkedHashMap<>();
  private final PricePlan byDefault;

  PlanCatalog(Meters meters) throws IOException {
    Map<String, Object> file;
    try (InputStream vocabulary =
        new ClassPathResource("vocabulary/price-plans.yaml").getInputStream()) {
      file = new Yaml().load(vocabulary);
    }
    for (Object one : Objects.requireNonNull((List<?>) file.get("plans"))) {
      PricePlan plan = plan((Map<?, ?>) one);
      List<String> faults = plan.faults(meters.billable());
      if (!faults.isEmpty()) {
        throw new IllegalStateException(
            "The plan " + plan.name() + " of price-plans.yaml: " + String.join(" ", faults));
      }
      plans.put(plan.name(), plan);
    }
    byDefault = Objects.requireNonNull(plans.get((String) file.get("default")));
  }

  PricePlan byDefault() {
    return byDefault;
  }

  List<PricePlan> all() {
    return List.copyOf(plans.values());
  }

  Optional<PricePlan> find(String name) {
    return Optional.ofNullable(plans.get(name));
  }

  private static PricePlan plan(Map<?, ?> plan) {
    Map<?, ?> tax = Objects.requireNonNull((Map<?, ?>) plan.get("tax"));
    return new PricePlan(
        text(plan, "name"),
        text(plan, "currency"),
        decimal(plan, "base_fee"),
        decimal(plan, "minimum"),
        decimal(plan, "discount_percent"),
        new Tax(text(tax, "name"), decimal(tax, "rate_percent")),
        Objects.requireNonNull((List<?>) plan.get("charges")).stream()
            .map(charge -> charge((Map<?, ?>) charge))
            .toList());
  }

  private static Charge charge(Map<?, ?> charge) {
    return new Charge(
        text(charge, "meter"),
        decimal(charge, "per"),
        decimal(charge, "included"),
        TierMode.valueOf(text(charge, "tiers_are").toUpperCase(Locale.ROOT)),
        Objects.requireNonNull((List<?>) charge.get("tiers")).stream()
            .map(
                one -> {
                  Map<?, ?> tier = (Map<?, ?>) one;
                  return new Tier(
                      tier.get("up_to") == null ? null : decimal(tier, "up_to"),
                      decimal(tier, "price"),
                      decimal(tier, "flat"));
                })
            .toList());
  }

  private static BigDecimal decimal(Map<?, ?> map, String field) {
    return new BigDecimal(text(map, field));
  }

  private static String text(Map<?, ?> map, String field) {
    return Objects.requireNonNull((String) map.get(field), field);
  }
}
