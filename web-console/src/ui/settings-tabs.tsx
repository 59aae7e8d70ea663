import { PageTabs } from "./page-tabs";

const TABS = [
  ["settings/environments", "Environments"],
  ["settings/people", "People"],
  ["settings/keys", "Service accounts and keys"],
  ["settings/retention", "Retention"],
  ["settings/limits", "Limits"],
  ["settings/deletions", "Deletions"],
  ["settings/catalogue", "Metric catalogue"],
  ["settings/audit-log", "Audit log"],
  ["settings/profile", "Your profile"],
] as const;

/** The pages of the settings, side by side. */
export function SettingsTabs() {
  return <PageTabs label="Settings" tabs={TABS} />;
}
