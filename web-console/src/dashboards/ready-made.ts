import { dashboardOf, type Dashboard } from "../lib/dashboard";
import flink from "./flink.json";
import jvm from "./jvm.json";
import kafka from "./kafka.json";
import tidemark from "./tidemark.json";

const FILES: Record<string, unknown> = { kafka, flink, tidemark, jvm };

/** The dashboards that come along, by the name of their file. */
export const readyMade: { name: string; dashboard: Dashboard }[] = Object.entries(FILES).flatMap(([name, file]) => {
  const { dashboard } = dashboardOf(file);
  return dashboard ? [{ name, dashboard }] : [];
});

/** The one for a type of resource; a JVM's for whatever sends such metrics. */
export function readyMadeFor(type: string, sent: ReadonlySet<string>): Dashboard | undefined {
  const own = readyMade.find(({ dashboard }) => dashboard.resource_type === type);
  const any = readyMade.find(({ dashboard }) => dashboard.resource_type === undefined && dashboard.panels.some((panel) => sent.has(panel.metric)));
  return (own ?? any)?.dashboard;
}
