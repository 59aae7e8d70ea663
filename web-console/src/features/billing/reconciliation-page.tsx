import { Button, SegmentedControl, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { reconciliationQuery } from "../../api/billing-queries";
import { body, control } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { decimalText } from "../../lib/money";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

const HOUR = 3_600_000;
const SPANS = [
  { value: "6", label: "6 hours" },
  { value: "24", label: "24 hours" },
];
const TONES: Record<Schemas["ReconciledHour"]["state"], string> = { open: "warn", agrees: "ok", differs: "danger", unknown: "" };

/** Whether every point that a sender was told of is metered or accounted for. */
export function ReconciliationPage() {
  const mayRead = useAllowed("billing:read");
  return (
    <>
      <PageHead title="Reconciliation" note="The same points at every stage: acknowledged to senders, metered, on an invoice, in the lake, rolled up and in Druid." />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? <Forbidden permission="billing:read" what="see the reconciliation" /> : mayRead === undefined ? <Skeleton /> : <Hours />}
      </div>
    </>
  );
}

function Hours() {
  const { organization } = useScope();
  const { zone } = useView();
  const { hours, stores } = useSearch({ strict: false }) as { hours?: unknown; stores?: unknown };
  const navigate = useNavigate();
  const span = String(hours) === "24" ? "24" : "6";
  // Whole hours: what is asked changes once an hour.
  const to = Math.ceil(useNow() / HOUR) * HOUR;
  const text = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");
  // Rows of more hours are not read for one answer.
  const lake = span === "6" && stores === "yes";
  const from = text(to - Number(span) * HOUR);
  const read = useQuery(reconciliationQuery(organization, from, text(to), lake));
  const put = (change: object) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...change })) as never });
  return (
    <>
      <div className="row">
        <SegmentedControl aria-label="Time" size="xs" w="fit-content" data={SPANS} value={span} onChange={(value) => put({ hours: value === "6" ? undefined : value })} />
        <Switch size="xs" label="Count rows of lake and Druid" disabled={span !== "6"} checked={lake} onChange={(event) => put({ stores: event.currentTarget.checked ? "yes" : undefined })} />
        <Statement organization={organization} from={from} to={text(to)} lake={lake} />
      </div>
      <Loaded query={read}>
        {(found) => (
          <div className="stack">
            {found.agrees ? (
              <Note>Every hour that is over agrees.</Note>
            ) : (
              <Note tone="danger">
                {found.differences.map((each) => (
                  <div key={each} className="break">
                    {displayed(each, 300)}
                  </div>
                ))}
              </Note>
            )}
            {found.found?.some((each) => each.repairable) && <Repair organization={organization} differences={found.found} />}
            <Checks checks={found.checks ?? []} />
            {found.hours.length === 0 ? (
              <Empty title="Nothing was sent in this time" />
            ) : (
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Hour</th>
                    <th>Environment</th>
                    <th>State</th>
                    <th className="num">Acknowledged</th>
                    <th className="num">Metered</th>
                    <th className="num">Set aside</th>
                    <th className="num">Without a value</th>
                    <th className="num">Invoiced</th>
                    <th className="num">Taken by the rollup job</th>
                    {lake && <th className="num">In the lake</th>}
                    <th className="num">Difference</th>
                  </tr>
                </thead>
                <tbody>
                  {found.hours.map((each) => (
                    <tr key={`${each.hour} ${each.environment_id}`}>
                      <td data-label="Hour" className="nowrap">
                        {formatTime(each.hour, zone, "minute")}
                      </td>
                      <td data-label="Environment" className="mono">
                        {displayed(each.environment_id, 63)}
                      </td>
                      <td data-label="State">
                        <span className={`badge ${TONES[each.state]}`}>{each.state}</span>
                      </td>
                      {(["acknowledged", "metered", "set_aside", "without_value", "invoiced", "taken_by_rollup", ...(lake ? (["in_lake"] as const) : []), "difference"] as const).map((figure) => (
                        <td key={figure} data-label={figure.replaceAll("_", " ")} className="num">
                          {each[figure] === undefined ? "–" : decimalText(each[figure])}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            {lake && <Measured hours={found.measured_hours ?? []} />}
          </div>
        )}
      </Loaded>
    </>
  );
}

/** When Tidemark looked by itself. */
function Checks({ checks }: { checks: Schemas["ReconciliationCheck"][] }) {
  const { zone } = useView();
  const last = checks.at(-1);
  if (!last) {
    return <p className="quiet small">Tidemark looks at every hour by itself, about a quarter of an hour after its end.</p>;
  }
  const agreeing = checks.filter((each) => each.agrees).length;
  return (
    <p className="quiet small">
      Tidemark looked at {checks.length} of these hours by itself, the last at {formatTime(last.hour, zone, "minute")}; {agreeing} agree{checks.some((each) => !each.with_stores) ? ", some without lake and Druid" : ""}.
    </p>
  );
}

/** What the stores have by the time at which points were measured. */
function Measured({ hours }: { hours: Schemas["MeasuredHour"][] }) {
  const { zone } = useView();
  if (hours.length === 0) {
    return <Note>Lake and Druid were not compared: one of them did not answer, or holds nothing of this time.</Note>;
  }
  return (
    <table className="data as-list">
      <caption>By time of measurement</caption>
      <thead>
        <tr>
          <th>Hour</th>
          <th>Environment</th>
          <th>State</th>
          <th className="num">Counted one by one</th>
          <th className="num">Rolled up</th>
          <th className="num">Of all metrics</th>
          <th className="num">In Druid</th>
        </tr>
      </thead>
      <tbody>
        {hours.map((each) => (
          <tr key={`${each.hour} ${each.environment_id}`}>
            <td data-label="Hour" className="nowrap">
              {formatTime(each.hour, zone, "minute")}
            </td>
            <td data-label="Environment" className="mono">
              {displayed(each.environment_id, 63)}
            </td>
            <td data-label="State">
              <span className={`badge ${TONES[each.state]}`}>{each.state}</span>
            </td>
            {(["in_lake", "rolled_up", "in_rows", "in_druid"] as const).map((figure) => (
              <td key={figure} data-label={figure.replaceAll("_", " ")} className="num">
                {decimalText(each[figure])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Enters usage records that the ledger lacks, of the hours that lack some. */
function Repair({ organization, differences }: { organization: string; differences: Schemas["ReconciliationDifference"][] }) {
  const client = useQueryClient();
  const mayWrite = useAllowed("billing:write");
  const hours = differences.filter((each) => each.repairable).map((each) => Date.parse(each.hour));
  const from = new Date(Math.min(...hours)).toISOString();
  const to = new Date(Math.max(...hours) + HOUR).toISOString();
  const repair = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/reconciliation/repairs", { params: { path: { organization_id: organization } }, body: { from, to } })),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization, "reconciliation"] }),
  });
  if (!mayWrite) {
    return null;
  }
  return (
    <div className="stack">
      <Button size="xs" w="fit-content" loading={repair.isPending} onClick={() => repair.mutate()}>
        Enter what is missing
      </Button>
      {repair.isSuccess && <p className="small">{repair.data.entered === 0 ? "The ledger has every usage record of these hours." : `${repair.data.entered} entries were missing and are entered.`}</p>}
      {repair.isError && <Failure fault={repair.error} />}
    </div>
  );
}

/** The same as a signed file. */
function Statement({ organization, from, to, lake }: { organization: string; from: string; to: string; lake: boolean }) {
  const query = new URLSearchParams({ from, to, ...(lake ? { lake: "true" } : {}) });
  return (
    <a className="small" download={`${organization}-reconciliation.json`} href={`/api/v1/organizations/${encodeURIComponent(organization)}/reconciliation/statement?${query.toString()}`}>
      Signed statement
    </a>
  );
}
