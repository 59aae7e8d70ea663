import { Button, Menu, MultiSelect, Select } from "@mantine/core";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { Problem } from "../../api/problem";
import { estimateQuery, metricSeriesQuery, metricsQuery, type QueryResponse, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { useLastAnswer } from "../../lib/last-answer";
import { count, plural } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { csvOf, drawnOf, seriesName, seriesOf, shortLabel, type SeriesSet } from "../../lib/series";
import { boundsOf, bucketMs, fits, formatTime, GRANULARITIES, isLive, type Granularity } from "../../lib/time-range";
import { Chart, Legend } from "../../ui/chart";
import { PageHead } from "../../ui/page";
import { RangePicker } from "../../ui/range-picker";
import { Empty, Failure, Forbidden, Note, Skeleton } from "../../ui/states";
import { Conditions } from "../../ui/conditions";
import { Completeness } from "../../ui/completeness";
import {
  curlOf,
  divisor,
  FUNCTION_NAMES,
  FUNCTIONS,
  granularityOf,
  growthOf,
  promqlOf,
  pythonOf,
  questionOf,
  requestOf,
  scrapeJobOf,
  searchOf,
  terraformPanelOf,
  unitOf,
  usualFunction,
  type Function,
  type Question,
} from "../../lib/question";

const SavePanel = lazy(() => import("../../ui/save-panel").then((module) => ({ default: module.SavePanel })));

/** Asks for one metric: what, of which series, by what, over which time. All of it is in the address. */
export function ExplorerPage() {
  const mayRead = useAllowed("metrics:read");
  if (mayRead === false) {
    return (
      <>
        <PageHead title="Explorer" />
        <Forbidden permission="metrics:read" what="query metrics" />
      </>
    );
  }
  return <Explorer />;
}

function Explorer() {
  const { organization, environment } = useScope();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const question = useMemo(() => questionOf(search), [search]);
  const navigate = useNavigate();
  const change = (part: Partial<Question>) =>
    void navigate({ to: ".", search: ((before: Record<string, unknown>) => ({ ...before, ...searchOf(part) })) as never });
  const { range, zone } = useView();
  const catalogue = useQuery(metricsQuery(organization, environment));
  const metric = catalogue.data?.find((each) => each.name === question.metric);
  const agg = question.agg ?? usualFunction(metric?.type);
  // To the end of the minute that is open: what is asked changes once a minute.
  const minute = Math.ceil(useNow() / 60_000) * 60_000;
  const { from, to } = boundsOf(range, minute);
  const bounds = useMemo(() => ({ from, to }), [from, to]);
  const granularity = granularityOf(question, bounds);

  return (
    <>
      <PageHead title={question.metric ? `Explorer: ${displayed(question.metric, 60)}` : "Explorer"}>
        <RangePicker />
      </PageHead>
      <div className="stack">
        <QueryForm question={question} agg={agg} metric={metric} metrics={catalogue.data ?? []} granularity={granularity} length={bounds.to - bounds.from} change={change} />
        {catalogue.error && <Failure fault={catalogue.error} retry={() => void catalogue.refetch()} />}
        {question.metric === undefined ? (
          catalogue.data?.length === 0 ? (
            <Empty title="No metrics yet">
              <p>Nothing was sent to this environment so far. New metrics are in the list within two minutes.</p>
              <Link to="/o/$org/e/$env/data-in" params={{ org: organization, env: environment }}>
                Send the first point
              </Link>
            </Empty>
          ) : (
            <MetricList metrics={catalogue.data} choose={(name) => change({ metric: name, by: [], where: [], agg: undefined, alone: undefined })} />
          )
        ) : (
          <Answer question={question} agg={agg} type={metric?.type} unit={unitOf(agg, metric?.unit ?? "")} bounds={bounds} granularity={granularity} zone={zone} live={isLive(range)} change={change} />
        )}
      </div>
    </>
  );
}

function MetricList({ metrics, choose }: { metrics: Schemas["Metric"][] | undefined; choose: (name: string) => void }) {
  const { zone } = useView();
  if (!metrics) return <Skeleton rows={8} height={36} />;
  return (
    <table className="data as-list">
      <thead>
        <tr>
          <th>Metric</th>
          <th>Type</th>
          <th>Unit</th>
          <th>Labels</th>
          <th>Last point</th>
        </tr>
      </thead>
      <tbody>
        {metrics.slice(0, 300).map((each) => (
          <tr key={each.id}>
            <td data-label="Metric">
              <button type="button" className="plain-button mono break" onClick={() => choose(each.name)}>
                {displayed(each.name)}
              </button>
            </td>
            <td data-label="Type">{each.type?.replaceAll("_", " ")}</td>
            <td data-label="Unit">{each.unit}</td>
            <td data-label="Labels" className="quiet break">
              {displayed(each.discovered?.labels.join(", ") ?? "", 80)}
            </td>
            <td data-label="Last point" className="nowrap">
              {each.discovered ? formatTime(each.discovered.last_seen, zone, "minute") : "never sent"}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function QueryForm({
  question,
  agg,
  metric,
  metrics,
  granularity,
  length,
  change,
}: {
  question: Question;
  agg: Function;
  metric: Schemas["Metric"] | undefined;
  metrics: Schemas["Metric"][];
  granularity: Granularity;
  length: number;
  change: (part: Partial<Question>) => void;
}) {
  const names = useMemo(() => [...new Set([...metrics.map((each) => each.name), ...(question.metric ? [question.metric] : [])])], [metrics, question.metric]);
  const labels = useMemo(() => {
    const own = metric?.discovered?.labels.map((each) => `metric.${each}`) ?? [];
    return [...new Set([...own, ...question.by, ...question.where.map((each) => each.label)])].sort();
  }, [metric, question.by, question.where]);
  return (
    <div className="query">
      <div className="query-line">
        <Select
          label="Metric"
          searchable
          data-page-search
          w={320}
          limit={200}
          data={names}
          value={question.metric ?? null}
          placeholder="Choose a metric"
          nothingFoundMessage="No metric has a name like this"
          onChange={(name) => change({ metric: name ?? undefined, by: [], where: [], agg: undefined, alone: undefined })}
        />
        <Select label="Function" w={160} data={FUNCTIONS.map((value) => ({ value, label: FUNCTION_NAMES[value] }))} value={agg} onChange={(value) => change({ agg: (value ?? undefined) as Function | undefined })} />
        <MultiSelect size="xs" label="Group by" miw={200} maw={480} data={labels.map((value) => ({ value, label: shortLabel(value) }))} value={question.by} placeholder={question.by.length ? "" : "All series together"} onChange={(by) => change({ by, alone: undefined })} searchable clearable />
        <Select
          label="Bucket"
          w={160}
          data={[{ value: "auto", label: `Auto (${GRANULARITIES.find((each) => each.id === granularity)?.label})` }, ...GRANULARITIES.filter((each) => fits(each.id, length)).map((each) => ({ value: each.id, label: each.label }))]}
          value={question.granularity && fits(question.granularity, length) ? question.granularity : "auto"}
          onChange={(value) => change({ granularity: value === "auto" ? undefined : (value as Granularity) })}
        />
        <Button variant={question.compare ? "light" : "default"} aria-pressed={question.compare} onClick={() => change({ compare: !question.compare })}>
          Compare with before
        </Button>
      </div>
      {question.metric !== undefined && <Conditions labels={labels} metric={question.metric} where={question.where} change={(where) => change({ where })} />}
    </div>
  );
}

function scaledRows(data: QueryResponse["data"], by: number): Record<string, unknown>[] {
  const rows = data as Record<string, unknown>[];
  return by === 1 ? rows : rows.map((row) => ({ ...row, value: typeof row["value"] === "number" ? row["value"] / by : row["value"] }));
}

function Answer({
  question,
  agg,
  type,
  unit,
  bounds,
  granularity,
  zone,
  live,
  change,
}: {
  question: Question;
  agg: Function;
  type: Schemas["MetricType"] | undefined;
  unit: string;
  bounds: { from: number; to: number };
  granularity: Granularity;
  zone: "local" | "utc";
  live: boolean;
  change: (part: Partial<Question>) => void;
}) {
  const { organization, environment } = useScope();
  const request = requestOf(question, agg, environment, bounds);
  const refresh = live ? (bounds.to - bounds.from <= 3_600_000 ? 3_000 : 30_000) : false;
  const gate = useGate(request, JSON.stringify([question.metric, question.by, question.where, granularity, bounds.to - bounds.from, live]));
  // A question that reads much is asked once, not again every half minute.
  const asked = useQuery({ ...metricSeriesQuery(organization, request, gate.reads === "much" ? false : refresh), enabled: gate.opens, placeholderData: keepPreviousData });
  const answer = useLastAnswer(asked, JSON.stringify({ ...request, intervals: undefined }));
  const length = bounds.to - bounds.from;
  const before = { from: bounds.from - length, to: bounds.to - length };
  const earlier = useQuery({ ...metricSeriesQuery(organization, requestOf(question, agg, environment, before), false), enabled: question.compare });
  const width = bucketMs(granularity);
  // The same rows are the same object, however often they are read.
  const rows = answer.data?.data;
  const data = useMemo(
    () => (rows ? seriesOf(scaledRows(rows, divisor(agg, granularity)), question.by, bounds.from, bounds.to, width) : undefined),
    [rows, agg, granularity, question.by, bounds.from, bounds.to, width],
  );
  const drawn = useMemo(() => (data ? drawnOf(data, growthOf(agg), answer.readAt, width) : undefined), [data, agg, answer.readAt, width]);
  const compared = useMemo(() => {
    const current = drawn?.set;
    if (!current || !question.compare || !earlier.data) return current;
    const shift = Math.round(length / width) * width;
    const moved = scaledRows(earlier.data.data, divisor(agg, granularity)).map((row) => ({ ...row, timestamp: new Date(Date.parse(String(row["timestamp"])) + shift).toISOString(), state: "final" }));
    const old = seriesOf(moved, question.by, bounds.from, bounds.to, width);
    return { times: current.times, series: [...current.series, ...old.series.map((each) => ({ ...each, key: `before ${each.key}`, labels: [...each.labels, ["period", "before"] as [string, string]] }))] };
  }, [drawn, earlier.data, question.compare, question.by, length, width, agg, granularity, bounds.from, bounds.to]);
  const [table, setTable] = useState(false);
  const mayAlert = useAllowed("alerts:write") === true;
  const maySave = useAllowed("dashboards:write") === true;
  const [saving, setSaving] = useState(false);

  if (gate.reads === "too much") {
    return (
      <Empty title="This question was not asked: it is too expensive">
        <p className="break">{gate.refusal}</p>
        <p>Choose a shorter time, a wider bucket, or a filter: each makes it read fewer rows.</p>
      </Empty>
    );
  }
  if (!gate.opens && gate.reads === "much") {
    return (
      <Empty title={`This question reads about ${plural(gate.rows, "stored row")}`} action={<Button onClick={gate.open}>Ask it</Button>}>
        <p>That is much: it waits for its turn in the slow lane, and a minute may pass. A shorter time, a wider bucket or a filter makes it quick.</p>
      </Empty>
    );
  }
  if (answer.fault && !answer.data) return <Failure fault={answer.fault} retry={() => void asked.refetch()} />;
  if (!answer.data || !data || !compared) return <Skeleton rows={1} height={320} />;
  const provisional = answer.data.data.map((row) => row as Record<string, unknown>).filter((row) => row["state"] === "provisional").map((row) => Date.parse(String(row["timestamp"])));
  const until = answer.data.meta?.completeness?.complete_until;
  const completeUntil = Math.min(until === undefined ? Infinity : Date.parse(until), ...provisional);
  return (
    <div className="stack">
      {answer.fault !== undefined && (
        <Note tone="warn">
          Shown as read at {formatTime(answer.readAt, zone)}. {answer.fault instanceof Problem ? answer.fault.detail : "The last read failed."}
        </Note>
      )}
      {answer.data.meta?.truncated?.map((each) => (
        <Note key={each.detail} tone="warn">
          Cut: {each.detail}
        </Note>
      ))}
      <div className="row between">
        <Completeness completeness={answer.data.meta?.completeness} zone={zone} />
        <div className="row">
          <Button variant="default" aria-pressed={table} onClick={() => setTable(!table)}>
            {table ? "Show the chart" : "Show as table"}
          </Button>
          {mayAlert && (
            <Button component={Link} variant="default" {...({ to: "/o/$org/e/$env/alerts/rules/$rule", params: { org: organization, env: environment, rule: "new" }, search: { metric: question.metric } } as object)}>
              Make an alert
            </Button>
          )}
          {maySave && (
            <Button variant="default" onClick={() => setSaving(true)}>
              Save to dashboard
            </Button>
          )}
          <Exports question={question} agg={agg} promql={promqlOf(question, agg, granularity, environment, type)} data={data} request={request} />
        </div>
      </div>
      {data.series.length === 0 ? (
        <Empty title="No points in this time">
          <p>The metric is known, but no series that fits the filters had a point between {formatTime(bounds.from, zone, "minute")} and {formatTime(bounds.to, zone, "minute")}.</p>
          <p>Choose a longer time, or remove a filter.</p>
        </Empty>
      ) : table ? (
        <ValueTable data={data} zone={zone} />
      ) : (
        <>
          <Chart
            data={compared}
            completeUntil={Number.isFinite(completeUntil) ? completeUntil : undefined}
            unit={unit}
            zone={zone}
            height={320}
            fromZero={agg !== "LAST" && agg !== "MIN"}
            alone={question.alone}
            label={`${FUNCTION_NAMES[agg]} of ${question.metric}, ${plural(data.series.length, "series", "series")}. The table below has the figures.`}
          />
          {drawn && drawn.left > 0 && (
            <p className="quiet small">The bucket from {formatTime(Math.floor(answer.readAt / width) * width, zone, "minute")} is not over. Its sum so far would look like a drop, so the chart leaves it out; the table has it.</p>
          )}
          {drawn && drawn.scaled > 0 && <p className="quiet small">The last bucket is not over: its rate is that of the time so far.</p>}
          <Legend data={compared} unit={unit} alone={question.alone} setAlone={(alone) => change({ alone })} />
        </>
      )}
      <Cost answer={answer.data} />
      {saving && (
        <Suspense>
          <SavePanel
            panel={{ title: "", type: "time_series", metric: question.metric ?? "", agg, by: question.by.slice(0, 20), where: question.where.slice(0, 20), width: 1, text: "" }}
            close={() => setSaving(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Lets a question pass once its cost is known: at once when it is small, when the person says so when it is large, and never when it
 * would be refused. A cost that cannot be told holds nothing up.
 */
function useGate(request: ReturnType<typeof requestOf>, question: string): { opens: boolean; reads: "little" | "much" | "too much" | "unknown"; rows: number; refusal: string; open: () => void } {
  const { organization } = useScope();
  const estimate = useQuery(estimateQuery(organization, request));
  const [opened, setOpened] = useState<string>();
  const found = estimate.data;
  const reads = !found ? "unknown" : !found.allowed ? "too much" : found.lane === "interactive" ? "little" : "much";
  return {
    opens: reads === "little" || (reads === "much" && opened === question) || (reads === "unknown" && estimate.error !== null),
    reads,
    rows: found?.estimated_rows ?? 0,
    refusal: found?.refusal ?? "",
    open: () => setOpened(question),
  };
}

/** What the answer cost, and where it was read. */
function Cost({ answer }: { answer: QueryResponse }) {
  const plan = answer.meta?.explain;
  if (!plan) return null;
  return (
    <details className="small">
      <summary>
        Read about {plural(plan.estimated_rows ?? 0, "stored row")} in the {plan.lane ?? "interactive"} lane
      </summary>
      <ul>
        {plan.parts?.map((part, index) => (
          <li key={index}>
            {part.store ?? "druid"} <span className="mono">{part.datasource}</span>, {part.intervals.join(", ")}
            {part.estimated_rows !== undefined && `, about ${count(part.estimated_rows)} rows`}
            {part.segments !== undefined && `, ${plural(part.segments, "segment")}`}
            {part.files !== undefined && `, ${plural(part.files, "file")}`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function ValueTable({ data, zone }: { data: SeriesSet; zone: "local" | "utc" }) {
  const columns = data.series.slice(0, 20);
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Values">
      <table className="data">
        <thead>
          <tr>
            <th>Bucket from</th>
            {columns.map((series) => (
              <th key={series.key} className="num">
                {displayed(seriesName(series), 40)}
              </th>
            ))}
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {data.times
            .map((time, index) => ({ time, index }))
            .reverse()
            .filter(({ index }) => columns.some((series) => series.values[index] !== null))
            .slice(0, 500)
            .map(({ time, index }) => (
              <tr key={time}>
                <td className="nowrap figure">{formatTime(time * 1000, zone, "minute")}</td>
                {columns.map((series) => (
                  <td key={series.key} className="num">
                    {series.values[index] === null ? "–" : count(series.values[index] ?? 0)}
                  </td>
                ))}
                <td>{columns.find((series) => series.states[index])?.states[index]}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {data.series.length > 20 && <p className="quiet small">The first 20 of {data.series.length} series; the CSV has all.</p>}
    </div>
  );
}

function Exports({ question, agg, promql, data, request }: { question: Question; agg: Function; promql: string | undefined; data: SeriesSet; request: ReturnType<typeof requestOf> }) {
  const [copied, setCopied] = useState("");
  useEffect(() => {
    if (copied === "") return;
    const timer = setTimeout(() => setCopied(""), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const scrape = scrapeJobOf(location.origin, question);
  const copy = (what: string, text: string) => void navigator.clipboard.writeText(text).then(() => setCopied(what));
  const csv = () => {
    const rows: (string | number | null)[][] = [["bucket", ...data.series.map(seriesName), "state"]];
    data.times.forEach((time, index) => rows.push([new Date(time * 1000).toISOString(), ...data.series.map((series) => series.values[index] ?? null), data.series.find((series) => series.states[index])?.states[index] ?? null]));
    const address = URL.createObjectURL(new Blob([csvOf(rows)], { type: "text/csv" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${question.metric ?? "metric"}.csv`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />}>
            <span aria-live="polite">{copied ? `Copied ${copied}` : "Copy as"}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => copy("link", location.href)}>Link</Menu.Item>
          <Menu.Item onClick={() => copy("curl", curlOf(location.origin, request))}>curl</Menu.Item>
          <Menu.Item onClick={() => copy("Python", pythonOf(location.origin, request))}>Python</Menu.Item>
          <Menu.Item onClick={() => copy("Terraform", terraformPanelOf(question, agg))}>Panel for Terraform</Menu.Item>
          {scrape !== undefined && <Menu.Item onClick={() => copy("scrape job", scrape)}>Scrape job of Prometheus</Menu.Item>}
          {promql !== undefined && <Menu.Item onClick={() => copy("PromQL", promql)}>PromQL</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={csv}>
        CSV
      </Button>
    </>
  );
}
