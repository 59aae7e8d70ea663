import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { invoiceQuery } from "../../api/billing-queries";
import { Problem } from "../../api/problem";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { saveFile } from "../../lib/files";
import { decimalText, moneyText, periodText } from "../../lib/money";
import { useScope, useView } from "../../lib/scope";
import { csvOf } from "../../lib/series";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Note } from "../../ui/states";
import { BillingTabs } from "./billing-tabs";
import { InvoiceTable } from "./invoice-table";

/** One month: each line with how its amount came about, down to the usage behind it. */
export function InvoicePage() {
  const { organization, environment } = useScope();
  const { period = "" } = useParams({ strict: false }) as { period?: string };
  const mayRead = useAllowed("billing:read");
  const invoice = useQuery({ ...invoiceQuery(organization, period), enabled: mayRead === true });
  const missing = invoice.error instanceof Problem && (invoice.error.status === 404 || invoice.error.status === 400);
  const found = invoice.data;
  return (
    <>
      <PageHead title={`Invoice: ${periodText(period)}`}>
        {found && (
          <>
            <Button component="a" variant="default" href={`/api/v1/organizations/${encodeURIComponent(organization)}/invoices/${found.period}/document?format=pdf`} download={`invoice-${found.period}.pdf`}>
              PDF
            </Button>
            <Button component="a" variant="default" title="Costs and usage in the form of the FinOps foundation" href={`/api/v1/organizations/${encodeURIComponent(organization)}/invoices/${found.period}/focus`} download={`focus-${found.period}.csv`}>
              FOCUS
            </Button>
          </>
        )}
        {found && (
          <Button
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() =>
              saveFile(
                `invoice-${found.period}.csv`,
                "text/csv",
                csvOf([["line", "quantity", "unit", "amount", "currency"], ...found.lines.map((line) => [line.description, line.quantity ?? "", line.unit ?? "", line.amount, found.currency]), ["total", "", "", found.total, found.currency]]),
              )
            }
          >
            CSV
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <BillingTabs />
        {mayRead === false ? (
          <Forbidden permission="billing:read" what="see invoices" />
        ) : missing ? (
          <Empty title="There is no such invoice">
            <Link to={"/o/$org/e/$env/billing/invoices" as string} params={{ org: organization, env: environment } as never}>
              All invoices
            </Link>
          </Empty>
        ) : (
          <Loaded query={invoice}>{(read) => <Invoice invoice={read} />}</Loaded>
        )}
      </div>
    </>
  );
}

function Invoice({ invoice }: { invoice: Schemas["Invoice"] }) {
  const { zone } = useView();
  return (
    <div className="stack wide">
      {invoice.state === "draft" ? (
        <Note tone="warn">A draft from the ledger as it is now; it closes {formatTime(invoice.closes_at, zone, "minute")}.</Note>
      ) : (
        <p className="quiet small break">
          Closed {invoice.closed_at ? formatTime(invoice.closed_at, zone, "minute") : ""}, number <span className="mono">{displayed(invoice.number ?? "")}</span>, SHA-256 <span className="mono">{invoice.hash}</span>.
        </p>
      )}
      <dl className="stats">
        <div className="stat">
          <dt>Before tax</dt>
          <dd>{moneyText(invoice.subtotal, invoice.currency)}</dd>
        </div>
        <div className="stat">
          <dt>
            {displayed(invoice.tax.name, 40)}, {decimalText(invoice.tax.rate_percent)} %
          </dt>
          <dd>{moneyText(invoice.tax.amount, invoice.currency)}</dd>
        </div>
        <div className="stat">
          <dt>Total</dt>
          <dd>{moneyText(invoice.total, invoice.currency)}</dd>
        </div>
      </dl>
      <InvoiceTable invoice={invoice} />
      <p className="quiet small">
        Rounded to {invoice.rounding.scale} digits ({invoice.rounding.mode.replaceAll("_", " ").toLowerCase()}), {invoice.rounding.applied_to}. Made of the usage ledger through entry {decimalText(String(invoice.through_sequence))}.
      </p>
    </div>
  );
}
