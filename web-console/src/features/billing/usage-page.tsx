import { Button, SegmentedControl, Select } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconDownload } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { meters } from "../../api/meters.gen";
import { environmentsQuery, type Schemas } from "../../api/queries";
import { usageQuery, usageReceiptsQuery, type UsageQuestion } from "../../api/billing-queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { saveFile } from "../../lib/files";
import { boundsOfPeriod, decimalText, periodBeside, periodText, shareOf, unitText } from "../../lib/money";
import { count } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { csvOf } from "../../lib/series";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

const GROUPS: { value: Schemas["UsageGroup"]; label: string }[] = [
  { value: "day", label: "By day" },
  { value: "metric", label: "By metric" },
  { value: "environment", label: "By environment" },
  { value: "resource", label: "By resource" },
  { value: "hour", label: "By hour" },
];

interface Search {
  period?: string;
  by?: string;
  meter?: string;
  metric?: string;
  day?: string;
  hour?: string;
  environment?: string;
}

function searchOf(raw: Record<string, unknown>): Search {
  const text = (name: string, form: RegExp) => (typeof raw[name] === "string" && form.test(raw[name]) ? { [name]: raw[name] } : {});
  return {
    ...text("period", /^\d{4}-(0[1-9]|1[0-2])$/),
    ...text("by", /^[a-z]+$/),
    ...text("meter", /^[a-z0-9_.-]{1,64}$/),
    ...text("metric", /^.{1,1024}$/),
    ...text("day", /^\d{4}-\d\d-\d\d$/),
    ...text("hour", /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/),
    ...text("environment", /^[a-z0-9-]{1,63}$/),
  };
}

/** What was used in a month, down to the receipts of batches. */
export function UsagePage() {
  const mayRead = useAllowed("usage:read");
  const search = searchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const month = new Date(useNow()).toISOString().slice(0, 7);
  const period = search.period ?? month;
  const put = (part: Search) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...part })) as never });
  return (
    <>
      <PageHead title="Usage" note="What is metered, hour by hour in UTC, from the rows that were stored. A resend counts nothing more.">
        <Button variant="default" aria-label="The month before" onClick={() => put({ period: periodBeside(period, -1), day: undefined, hour: undefined } as Search)}>
          <IconChevronLeft size={14} aria-hidden />
        </Button>
        <span className="nowrap">{periodText(period)}</span>
        <Button variant="default" aria-label="The month after" disabled={period >= month} onClick={() => put({ period: periodBeside(period, 1), day: undefined, hour: undefined } as Search)}>
          <IconChevronRight size={14} aria-hidden />
        </Button>
      </PageHead>
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? <Forbidden permission="usage:read" what="see what was used" /> : mayRead === undefined ? <Skeleton /> : search.hour ? <Receipts hour={search.hour} environment={search.environment} back={() => put({ hour: undefined } as Search)} /> : <Usage period={period} search={search} put={put} />}
      </div>
    </>
  );
}

function Usage({ period, search, put }: { period: string; search: Search; put: (part: Search) => void }) {
  const { organization } = useScope();
  const environments = useQuery(environmentsQuery(organization));
  const by = search.day && !search.by ? "hour" : (GROUPS.find((each) => each.value === search.by)?.value ?? "day");
  const bounds = boundsOfPeriod(period);
  const day = search.day ? { from: `${search.day}T00:00:00Z`, to: new Date(Date.parse(`${search.day}T00:00:00Z`) + 86_400_000).toISOString().replace(".000Z", "Z") } : undefined;
  const question: UsageQuestion = {
    ...(day ?? bounds),
    meter: search.meter ?? "points",
    by,
    ...(search.environment ? { environment_id: search.environment } : {}),
    ...(search.metric ? { metric: search.metric } : {}),
  };
  const usage = useInfiniteQuery({ ...usageQuery(organization, question), placeholderData: keepPreviousData });
  const environmentName = (id: string) => environments.data?.find((each) => each.id === id)?.display_name ?? id;
  const filters: [string, string, Search][] = [
    ...(search.metric ? [["metric", search.metric, { metric: undefined }] as [string, string, Search]] : []),
    ...(search.environment ? [["environment", environmentName(search.environment), { environment: undefined }] as [string, string, Search]] : []),
    ...(search.day ? [["day", search.day, { day: undefined }] as [string, string, Search]] : []),
  ];
  return (
    <>
      <div className="row">
        <SegmentedControl aria-label="Sums" size="xs" data={GROUPS} value={by} onChange={(value) => put({ by: value })} />
        <Select aria-label="Meter" w={180} allowDeselect={false} data={[...new Set([...Object.keys(meters), question.meter])].map((value) => ({ value, label: value.replaceAll("_", " ") }))} value={question.meter} onChange={(value) => put({ meter: value ?? "points" })} />
        {filters.map(([name, value, without]) => (
          <Button key={name} variant="light" size="compact-xs" aria-label={`Remove the filter on ${name}`} onClick={() => put(without)}>
            {name} {displayed(value, 40)} ×
          </Button>
        ))}
      </div>
      {meters[question.meter] && <p className="quiet small">{meters[question.meter]}</p>}
      <Loaded query={usage}>
        {({ pages }) => {
          const first = pages[0];
          const rows = pages.flatMap((page) => page.data);
          if (!first || rows.length === 0) {
            return (
              <Empty title="Nothing was used">
                <p>No {displayed(question.meter, 40)} are in the ledger for this time. Hours are there about two minutes after their points.</p>
              </Empty>
            );
          }
          const greatest = rows.reduce((most, each) => (Number(each.quantity) > Number(most) ? each.quantity : most), "0");
          const name = (row: Schemas["UsageSum"]) => row.metric ?? (row.resource_id !== undefined ? `${row.resource_type ?? ""} ${row.resource_id}`.trim() : undefined) ?? row.start ?? row.environment_id ?? "";
          return (
            <div className="stack">
              <dl className="stats">
                <div className="stat">
                  <dt>
                    Total of {first.meter}, {search.day ?? periodText(period)}
                  </dt>
                  <dd>
                    {decimalText(first.total)} <span className="small quiet">{unitText(first.unit, first.total)}</span>
                  </dd>
                </div>
              </dl>
              <div className="row between">
                <span className="quiet small">{rows.length === 1 ? "1 line" : `${rows.length} lines`}</span>
                <Button
                  variant="default"
                  leftSection={<IconDownload size={14} aria-hidden />}
                  onClick={() => saveFile(`usage-${first.meter}-${search.day ?? period}.csv`, "text/csv", csvOf([[by, first.unit], ...rows.map((row) => [name(row), row.quantity])]))}
                >
                  CSV
                </Button>
              </div>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>{GROUPS.find((each) => each.value === by)?.label.slice(3)}</th>
                    <th className="num">{unitText(first.unit)}</th>
                    <th>
                      <span className="hidden">Share of the greatest</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={name(row)}>
                      <td data-label="What" className="break">
                        <RowName row={row} by={by} put={put} environmentName={environmentName} />
                      </td>
                      <td data-label={unitText(first.unit)} className="num">
                        {decimalText(row.quantity)}
                      </td>
                      <td className="bar-cell" aria-hidden>
                        <span className="bar" style={{ width: `${shareOf(row.quantity, greatest) * 100}%` }} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {usage.hasNextPage && (
                <Button variant="default" w="fit-content" loading={usage.isFetchingNextPage} onClick={() => void usage.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

/** Leads one step further down: from a metric or a day to its days or hours, from an hour to its receipts. */
function RowName({ row, by, put, environmentName }: { row: Schemas["UsageSum"]; by: Schemas["UsageGroup"]; put: (part: Search) => void; environmentName: (id: string) => string }) {
  const { zone } = useView();
  const open = (text: string, part: Search) => (
    <button type="button" className="plain-button break" onClick={() => put(part)}>
      {text}
    </button>
  );
  if (by === "metric" && row.metric !== undefined) return open(displayed(row.metric), { metric: row.metric, by: "day" });
  if (by === "environment" && row.environment_id !== undefined) return open(displayed(environmentName(row.environment_id), 60), { environment: row.environment_id, by: "metric" });
  if (by === "day" && row.start !== undefined) return open(formatTime(row.start, "utc", "day"), { day: row.start.slice(0, 10), by: "hour" });
  if (by === "hour" && row.start !== undefined) return open(formatTime(row.start, zone, "minute"), { hour: new Date(row.start).toISOString().replace(".000Z", "Z") });
  return <>{displayed([row.resource_type, row.resource_id].filter((each) => each !== undefined && each !== "").join(" ") || "without a resource")}</>;
}

/** Batches of an hour, each with what it is billed for. */
function Receipts({ hour, environment, back }: { hour: string; environment: string | undefined; back: () => void }) {
  const { organization, environment: here } = useScope();
  const { zone } = useView();
  const receipts = useInfiniteQuery(usageReceiptsQuery(organization, { hour, ...(environment ? { environment_id: environment } : {}) }));
  return (
    <section className="stack" aria-label="Receipts">
      <div className="row">
        <Button variant="default" leftSection={<IconChevronLeft size={14} aria-hidden />} onClick={back}>
          Back to the hours
        </Button>
        <h2>Batches received in the hour from {formatTime(hour, zone, "minute")}</h2>
      </div>
      <Loaded query={receipts}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.data);
          return all.length === 0 ? (
            <Empty title="No receipts of this hour">
              <p>Receipts are kept for a day; the sums of the ledger stay.</p>
            </Empty>
          ) : (
            <>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Receipt</th>
                    <th>Received</th>
                    <th className="num">Points acknowledged</th>
                    <th className="num">Points billed</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((each, index) => (
                    <tr key={`${each.receipt_id} ${index}`}>
                      <td data-label="Receipt" className="mono break">
                        <Link to="/o/$org/e/$env/receipts" params={{ org: organization, env: here }} search={{ receipt: each.receipt_id }}>
                          {displayed(each.receipt_id, 40)}
                        </Link>
                      </td>
                      <td data-label="Received" className="nowrap">
                        {formatTime(each.received_at, zone)}
                      </td>
                      <td data-label="Points acknowledged" className="num">
                        {count(each.points)}
                      </td>
                      <td data-label="Points billed" className="num">
                        {count(each.billed_points)}
                        {each.billed_points === 0 && <span className="small quiet"> resend</span>}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {receipts.hasNextPage && (
                <Button variant="default" w="fit-content" loading={receipts.isFetchingNextPage} onClick={() => void receipts.fetchNextPage()}>
                  Show more
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
