import { PageTabs } from "../../ui/page-tabs";

const TABS = [
  ["alerts", "Incidents", true],
  ["alerts/rules", "Rules"],
  ["alerts/packs", "Packs"],
  ["alerts/silences", "Silences"],
  ["alerts/inhibitions", "Inhibitions"],
  ["alerts/integrations", "Integrations"],
] as const;

export function AlertTabs() {
  return <PageTabs label="Alerts" tabs={TABS} />;
}
