import { Link } from "@tanstack/react-router";
import type { Schemas } from "../../api/queries";
import { displayed } from "../../lib/displayed";
import { decimalText, moneyText, quantityText } from "../../lib/money";
import { useScope } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";

/** Lines of an invoice; each opens to its tiers and leads to the usage behind it. */
export function InvoiceTable({ invoice }: { invoice: Schemas["Invoice"] }) {
  const { organization, environment } = useScope();
  return (
    <table className="data as-list">
      <thead>
        <tr>
          <th>Line</th>
          <th className="num">Quantity</th>
          <th>How it came about</th>
          <th className="num">Amount</th>
        </tr>
      </thead>
      <tbody>
        {invoice.lines.map((line) => (
          <tr key={line.id}>
            <td data-label="Line" className="break">
              {line.kind === "usage" && line.meter ? (
                <Link to={"/o/$org/e/$env/billing" as string} params={{ org: organization, env: environment } as never} search={{ period: invoice.period, meter: line.meter, by: "metric" } as never}>
                  {displayed(line.description, 200)}
                </Link>
              ) : (
                displayed(line.description, 200)
              )}
              {line.from && line.to && (
                <div className="small quiet">
                  {formatTime(line.from, "utc", "minute")} to {formatTime(line.to, "utc", "minute")}
                </div>
              )}
            </td>
            <td data-label="Quantity" className="num">
              {line.quantity === undefined ? "" : quantityText(line.quantity, line.unit)}
            </td>
            <td data-label="How it came about" className="break">
              {line.reason && <div>{displayed(line.reason, 300)}</div>}
              {(line.parts?.length ?? 0) > 0 && (
                <details>
                  <summary>
                    {line.included !== undefined && `${decimalText(line.included)} included, `}
                    {decimalText(line.billed_quantity ?? line.quantity ?? "0")} billed
                  </summary>
                  <ul className="plain-list small">
                    {line.parts?.map((part, index) => (
                      <li key={index}>
                        {decimalText(part.quantity)} at {decimalText(part.price)} per {decimalText(line.per ?? "1")}
                        {part.flat !== "0" && `, ${decimalText(part.flat)} flat`} = {moneyText(part.amount, invoice.currency)}
                      </li>
                    ))}
                    {line.exact_amount !== undefined && <li>Before rounding {moneyText(line.exact_amount, invoice.currency)}</li>}
                  </ul>
                </details>
              )}
            </td>
            <td data-label="Amount" className="num" title={line.exact_amount}>
              {moneyText(line.amount, invoice.currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
