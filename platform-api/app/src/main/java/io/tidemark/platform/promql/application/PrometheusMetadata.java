package io.tidemark.platform.promql.application;

import io.tidemark.platform.metricstore.LabelKey;
import io.tidemark.platform.metricstore.TimeInterval;
import io.tidemark.platform.promql.application.PrometheusNameIndex.IndexedName;
import io.tidemark.platform.promql.domain.Expression.Selector;
import io.tidemark.platform.promql.domain.ExpressionParser;
import io.tidemark.platform.promql.domain.LabelMatcher;
import io.tidemark.platform.promql.domain.MetricLabels;
import io.tidemark.platform.promql.domain.PromQlFault;
import io.tidemark.platform.query.application.Datasets;
import io.tidemark.platform.query.application.LabelValueService;
import io.tidemark.platform.query.domain.AttributesDraft;
import io.tidemark.platform.shared.Caller;
import io.tidemark.platform.shared.TenantId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tells which metrics, labels and series there are, under the names that Prometheus takes. */
public final class PrometheusMetadata {

  private static final Duration USUAL = Duration.ofHours(1);
  private static final int MAX_METRICS = 50;
  private static final int MAX_SELECTORS = 20;
  private static final int PAGES = 20;
  private static final int PAGE = 1_000;

  private final PrometheusNameIndex names;
  private final SeriesService series;
  private final LabelValueService attributes;
  private final Clock clock;

  /** The use case. */
  PrometheusMetadata(
      PrometheusNameIndex names, SeriesService series, LabelValueService attributes, Clock clock) {
    this.names = names;
    this.series = series;
    this.attributes = attributes;
    this.clock = clock;
  }

  /**
   * What is looked at.
   *
   * @param selectors texts; none for everything
   * @param start null for an hour before the end
   * @param end null for now
   */
  public record Look(List<String> selectors, @Nullable Instant start, @Nullable Instant end) {}

  /** A metric as Prometheus describes it. */
  public record Description(String name, String type, @Nullable String unit) {}

  private record Matched(IndexedName known, Selector selector, MetricLabels labels) {}

  /** Series as labels by name. */
  public List<SortedMap<String, String>> series(Caller caller, Look look) {
    TenantId organization = Datasets.organizationOf(caller, "cloud");
    return PromQlEvaluator.told(
        () -> {
          List<TimeInterval> intervals = intervals(look);
          Set<SortedMap<String, String>> found = new LinkedHashSet<>();
          for (Matched matched : matched(organization, look, intervals)) {
            found.addAll(listed(organization, matched, matched.labels().keys(), intervals));
          }
          return new ArrayList<>(found);
        });
  }

  /** Names of labels. */
  public Set<String> labels(Caller caller, Look look) {
    TenantId organization = Datasets.organizationOf(caller, "cloud");
    return PromQlEvaluator.told(
        () -> {
          List<TimeInterval> intervals = intervals(look);
          Set<String> labels = new TreeSet<>();
          if (look.selectors().isEmpty()) {
            Instant start = intervals.get(0).start();
            for (IndexedName known : names.since(organization, start)) {
              labels.add(LabelMatcher.NAME);
              labels.addAll(names.labels(organization, known.metric(), start).keys().keySet());
            }
          } else {
            series(caller, look).forEach(each -> labels.addAll(each.keySet()));
          }
          return labels;
        });
  }

  /** Values of a label. */
  public Set<String> values(Caller caller, String label, Look look) {
    TenantId organization = Datasets.organizationOf(caller, "cloud");
    return PromQlEvaluator.told(
        () -> {
          List<TimeInterval> intervals = intervals(look);
          Set<String> values = new TreeSet<>();
          if (look.selectors().isEmpty()) {
            if (label.equals(LabelMatcher.NAME)) {
              names
                  .since(organization, intervals.get(0).start())
                  .forEach(known -> values.add(known.name()));
            } else {
              values.addAll(ofAllMetrics(caller, organization, label, intervals));
            }
            return values;
          }
          for (Matched matched : matched(organization, look, intervals)) {
            if (label.equals(LabelMatcher.NAME)) {
              if (isByNameAlone(matched.selector())
                  || !listed(organization, matched, Map.of(), intervals).isEmpty()) {
                values.add(matched.known().name());
              }
            } else {
              LabelKey key = matched.labels().keys().get(label);
              if (key != null) {
                listed(organization, matched, Map.of(label, key), intervals)
                    .forEach(each -> Optional.ofNullable(each.get(label)).ifPresent(values::add));
              }
            }
          }
          return values;
        });
  }

  /** Metrics by name. */
  public List<Description> metadata(Caller caller, @Nullable String name) {
    TenantId organization = Datasets.organizationOf(caller, "cloud");
    return names.since(organization, clock.instant()).stream()
        .filter(known -> name == null || known.name().equals(name) || known.metric().equals(name))
        .map(known -> new Description(known.name(), known.meaning().type(), known.unit()))
        .distinct()
        .toList();
  }

  private List<TimeInterval> intervals(Look look) {
    Instant end = look.end() == null ? clock.instant() : look.end();
    Instant start = look.start() == null ? end.minus(USUAL) : look.start();
    if (end.isBefore(start)) {
      throw PromQlFault.wrong("end timestamp must not be before start timestamp");
    }
    long from = Math.floorDiv(start.toEpochMilli(), 60_000L) * 60_000L;
    long to = (Math.floorDiv(end.toEpochMilli(), 60_000L) + 1) * 60_000L;
    return List.of(new TimeInterval(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)));
  }

  /** Metrics whose names fit and that have the labels which are asked for. */
  private List<Matched> matched(TenantId organization, Look look, List<TimeInterval> intervals) {
    if (look.selectors().size() > MAX_SELECTORS) {
      throw PromQlFault.wrong("more than " + MAX_SELECTORS + " selectors in match[]");
    }
    Instant start = intervals.get(0).start();
    List<Matched> all = new ArrayList<>();
    Map<String, MetricLabels> labels = new HashMap<>();
    for (String text : look.selectors()) {
      Selector selector = ExpressionParser.selector(text);
      for (IndexedName known : names.since(organization, start)) {
        if (PrometheusNameIndex.isNamed(selector.matchers(), known)) {
          MetricLabels own =
              labels.computeIfAbsent(
                  known.metric(), metric -> names.labels(organization, metric, start));
          if (PrometheusNameIndex.mayHave(selector.matchers(), own)) {
            all.add(new Matched(known, selector, own));
          }
        }
      }
    }
    long read = all.stream().filter(each -> !isByNameAlone(each.selector())).count();
    if (read > MAX_METRICS) {
      throw PromQlFault.unsupported(
          "match[] that fits more than " + MAX_METRICS + " metrics; name one");
    }
    return all;
  }

  private static boolean isByNameAlone(Selector selector) {
    return selector.matchers().stream()
        .allMatch(matcher -> matcher.label().equals(LabelMatcher.NAME));
  }

  private List<SortedMap<String, String>> listed(
      TenantId organization,
      Matched matched,
      Map<String, LabelKey> keys,
      List<TimeInterval> intervals) {
    String metric = matched.known().metric();
    MatcherTranslator filters =
        new MatcherTranslator(
            matched.labels(), key -> series.values(organization, metric, key, intervals));
    List<SortedMap<String, String>> listed = new ArrayList<>();
    for (SortedMap<String, String> labels :
        series.list(
            organization,
            metric,
            new LinkedHashMap<>(keys),
            filters.filter(matched.selector().matchers()),
            intervals)) {
      SortedMap<String, String> named = new TreeMap<>(labels);
      named.put(LabelMatcher.NAME, matched.known().name());
      listed.add(named);
    }
    return listed;
  }

  private Set<String> ofAllMetrics(
      Caller caller, TenantId organization, String label, List<TimeInterval> intervals) {
    Instant start = intervals.get(0).start();
    Set<LabelKey> keys = new LinkedHashSet<>();
    for (IndexedName known : names.since(organization, start)) {
      LabelKey key = names.labels(organization, known.metric(), start).keys().get(label);
      if (key != null) {
        keys.add(key);
      }
    }
    Set<String> values = new TreeSet<>();
    if (keys.remove(LabelKey.ENVIRONMENT)) {
      values.addAll(environments(organization, intervals));
    }
    for (LabelKey key : keys) {
      String token = null;
      int pages = 0;
      do {
        LabelValueService.Attributes page =
            attributes.list(
                caller,
                "cloud",
                new AttributesDraft(
                    null,
                    List.of(key.value()),
                    null,
                    intervals.stream().map(each -> each.start() + "/" + each.end()).toList(),
                    PAGE),
                token);
        page.combinations().forEach(combination -> values.add(combination.get(0)));
        token = page.nextPage().orElse(null);
        if (token != null && ++pages == PAGES) {
          throw PromQlFault.unsupported(
              "more than " + PAGES * PAGE + " values of a label; name a metric in match[]");
        }
      } while (token != null);
    }
    return values;
  }

  private Set<String> environments(TenantId organization, List<TimeInterval> intervals) {
    Set<String> metrics = new TreeSet<>();
    names
        .since(organization, intervals.get(0).start())
        .forEach(known -> metrics.add(known.metric()));
    if (metrics.size() > MAX_METRICS) {
      throw PromQlFault.unsupported(
          "values of "
              + MetricLabels.ENVIRONMENT
              + " over more than "
              + MAX_METRICS
              + " metrics; name a metric in match[]");
    }
    Set<String> values = new TreeSet<>();
    metrics.forEach(
        metric ->
            values.addAll(series.values(organization, metric, LabelKey.ENVIRONMENT, intervals)));
    return values;
  }
}
