import { PageTabs } from "../../ui/page-tabs";

const TABS = [
  ["billing", "Usage", true],
  ["billing/invoices", "Invoices"],
  ["billing/plan", "Plan"],
  ["billing/budget", "Budget and credits"],
  ["billing/what-if", "What if"],
  ["billing/reconciliation", "Reconciliation"],
] as const;

export function BillingTabs() {
  return <PageTabs label="Usage and invoices" tabs={TABS} />;
}
