import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { reconciliationQuery } from "../../api/billing-queries";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { decimalText } from "../../lib/money";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
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
      <PageHead title="Reconciliation" note="Points acknowledged to senders, by receipts, against points that were metered, set aside or without a value." />
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
  const { hours } = useSearch({ strict: false }) as { hours?: unknown };
  const navigate = useNavigate();
  const span = hours === "24" ? "24" : "6";
  // Whole hours: what is asked changes once an hour.
  const to = Math.ceil(useNow() / HOUR) * HOUR;
  const text = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");
  const read = useQuery(reconciliationQuery(organization, text(to - Number(span) * HOUR), text(to)));
  return (
    <>
      <SegmentedControl aria-label="Time" size="xs" w="fit-content" data={SPANS} value={span} onChange={(value) => void navigate({ to: ".", search: ((before: object) => ({ ...before, hours: value === "6" ? undefined : value })) as never })} />
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
                      {(["acknowledged", "metered", "set_aside", "without_value", "difference"] as const).map((figure) => (
                        <td key={figure} data-label={figure.replaceAll("_", " ")} className="num">
                          {decimalText(each[figure])}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}
