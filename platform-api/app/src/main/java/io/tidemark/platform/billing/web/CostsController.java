package io.tidemark.platform.billing.web;

import io.tidemark.contracts.billing.CostsApi;
import io.tidemark.contracts.billing.model.CostEnvironment;
import io.tidemark.contracts.billing.model.CostList;
import io.tidemark.contracts.billing.model.CostListMetadata;
import io.tidemark.contracts.billing.model.CostResource;
import io.tidemark.platform.billing.Costs;
import io.tidemark.platform.billing.Costs.DayCost;
import io.tidemark.platform.billing.Meters;
import io.tidemark.platform.billing.domain.Cost;
import io.tidemark.platform.billing.domain.DailyUse;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.CurrentCaller;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.Permission;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Costs by day, in the form that clients of Confluent Cloud's billing API know. */
@RestController
@ConditionalOnRole(ProcessRole.CONTROL)
class CostsController implements CostsApi {

  private static final int USUAL = 5_000;
  private static final int MAX = 10_000;
  private static final int ID_BYTES = 16;

  /** The last entry of the ledger that the first page was made of, and where the page begins. */
  private static final Pattern TOKEN = Pattern.compile("([0-9]{1,18})-([0-9]{1,9})");

  private final CurrentCaller callers;
  private final Costs costs;
  private final Meters meters;

  CostsController(CurrentCaller callers, Costs costs, Meters meters) {
    this.callers = callers;
    this.costs = costs;
    this.meters = meters;
  }

  private record PagePosition(@Nullable Long through, int from) {}

  @Override
  public ResponseEntity<CostList> listCosts(
      LocalDate startDate,
      LocalDate endDate,
      @Nullable Integer pageSize,
      @Nullable String pageToken) {
    Caller caller = callers.current();
    caller.require(Permission.BILLING_READ);
    int size = size(pageSize);
    PagePosition place = place(pageToken);
    Costs.OfDays found = costs.between(caller.organization(), startDate, endDate, place.through());
    List<DayCost> all = found.costs();
    int from = Math.min(place.from(), all.size());
    int to = Math.min(from + size, all.size());
    CostListMetadata metadata = new CostListMetadata(address(null), (long) all.size());
    if (to < all.size()) {
      metadata.next(address(found.through() + "-" + to));
    }
    return ResponseEntity.ok(
        new CostList(
            CostList.ApiVersionEnum.BILLING_V1,
            CostList.KindEnum.COST_LIST,
            metadata,
            all.subList(from, to).stream().map(cost -> shown(caller, cost)).toList()));
  }

  private static int size(@Nullable Integer asked) {
    int size = asked == null ? USUAL : asked;
    if (size < 1 || size > MAX) {
      throw ProblemException.of(ErrorCode.INVALID_REQUEST, "page_size must be 1 to " + MAX + ".");
    }
    return size;
  }

  private static PagePosition place(@Nullable String token) {
    if (token == null) {
      return new PagePosition(null, 0);
    }
    Matcher parts = TOKEN.matcher(token);
    if (!parts.matches()) {
      throw ProblemException.of(
          ErrorCode.INVALID_REQUEST,
          "page_token is not one that this list gave out. Take it from metadata.next, or leave it"
              + " out.");
    }
    return new PagePosition(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2)));
  }

  private static String address(@Nullable String token) {
    ServletUriComponentsBuilder address = ServletUriComponentsBuilder.fromCurrentRequest();
    return token == null
        ? address.replaceQueryParam("page_token").build().toUriString()
        : address.replaceQueryParam("page_token", token).build().toUriString();
  }

  private io.tidemark.contracts.billing.model.Cost shown(Caller caller, DayCost day) {
    Cost cost = day.cost();
    var shown =
        new io.tidemark.contracts.billing.model.Cost(
            io.tidemark.contracts.billing.model.Cost.ApiVersionEnum.BILLING_V1,
            io.tidemark.contracts.billing.model.Cost.KindEnum.COST,
            id(caller, cost),
            cost.day(),
            cost.day().plusDays(1),
            io.tidemark.contracts.billing.model.Cost.GranularityEnum.DAILY,
            io.tidemark.contracts.billing.model.Cost.ProductEnum.TIDEMARK,
            lineType(cost),
            day.currency(),
            plain(cost.original()),
            plain(cost.discount()),
            plain(cost.amount()));
    if (cost.kind() == Cost.Kind.USAGE) {
      shown.quantity(plain(Objects.requireNonNull(cost.quantity())));
      shown.price(plain(Objects.requireNonNull(cost.price()).divide(cost.per())));
      shown.unit(Objects.requireNonNull(meters.find(cost.meter())).unit().toUpperCase(Locale.ROOT));
    }
    if (cost.kind() == Cost.Kind.ADJUSTMENT || cost.kind() == Cost.Kind.CREDIT) {
      shown.description(cost.description());
    }
    if (cost.subject() != null) {
      shown.resource(resource(cost.subject()));
    }
    return shown;
  }

  private static CostResource resource(DailyUse.Subject subject) {
    return new CostResource(
            subject.resourceId(), subject.resourceId(), new CostEnvironment(subject.environment()))
        .type(subject.resourceType());
  }

  private static String lineType(Cost cost) {
    return cost.kind() == Cost.Kind.USAGE
        ? Objects.requireNonNull(cost.meter()).toUpperCase(Locale.ROOT)
        : cost.kind().name();
  }

  /** Numbers without an exponent or needless zeros. */
  private static BigDecimal plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  private static String id(Caller caller, Cost cost) {
    DailyUse.Subject subject = cost.subject();
    String text =
        String.join(
            "\n",
            caller.organization().value(),
            cost.day().toString(),
            cost.kind().name(),
            String.valueOf(cost.line()),
            String.valueOf(cost.tier()),
            subject == null ? "" : subject.environment(),
            subject == null ? "" : subject.resourceType(),
            subject == null ? "" : subject.resourceId());
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256", impossible);
    }
  }
}
