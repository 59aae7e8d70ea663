import { PageTabs } from "./page-tabs";

const TABS = [
  ["platform", "Installation", true],
  ["platform/sizing", "Sizing"],
] as const;

/** The pages for those who run the installation, side by side. */
export function PlatformTabs() {
  return <PageTabs label="Platform" tabs={TABS} />;
}
