import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { invoicesQuery } from "../../api/billing-queries";
import { useAllowed } from "../../lib/access";
import { moneyText, periodText } from "../../lib/money";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Skeleton } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";

/** The draft of the running month, and what was invoiced. */
export function InvoicesPage() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("billing:read");
  const invoices = useQuery({ ...invoicesQuery(organization), enabled: mayRead === true });
  return (
    <>
      <PageHead title="Invoices" note="A closed invoice never changes; what arrives later for its month is an adjustment of a later one." />
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? (
          <Forbidden permission="billing:read" what="see invoices" />
        ) : mayRead === undefined ? (
          <Skeleton />
        ) : (
          <Loaded query={invoices}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty title="No invoices yet">
                  <p>The draft of a month begins with its first metered hour.</p>
                </Empty>
              ) : (
                <table className="data as-list">
                  <thead>
                    <tr>
                      <th>Month</th>
                      <th>Number</th>
                      <th>State</th>
                      <th className="num">Before tax</th>
                      <th className="num">Total</th>
                      <th>Closes</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.map((each) => (
                      <tr key={each.period}>
                        <td data-label="Month">
                          <Link to={"/o/$org/e/$env/billing/invoices/$period" as string} params={{ org: organization, env: environment, period: each.period } as never}>
                            {periodText(each.period)}
                          </Link>
                        </td>
                        <td data-label="Number" className="mono">
                          {each.number ?? "–"}
                        </td>
                        <td data-label="State">
                          <span className={`badge ${each.state === "closed" ? "ok" : "warn"}`}>{each.state}</span>
                        </td>
                        <td data-label="Before tax" className="num">
                          {moneyText(each.subtotal, each.currency)}
                        </td>
                        <td data-label="Total" className="num">
                          {moneyText(each.total, each.currency)}
                        </td>
                        <td data-label="Closes" className="nowrap">
                          {each.closed_at ? `closed ${formatTime(each.closed_at, zone, "day")}` : formatTime(each.closes_at, zone, "day")}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )
            }
          </Loaded>
        )}
      </div>
    </>
  );
}
