/** Every page below an environment, and one state of it that has something to show. */
export const pages: { name: string; path: string }[] = [
  { name: "home", path: "" },
  { name: "explorer", path: "/explorer" },
  { name: "explorer-chart", path: "/explorer?metric=kafka.topic.messages&agg=RATE&by=%5B%22metric.topic%22%5D&from=now-15m&to=now" },
  { name: "dashboards", path: "/dashboards" },
  { name: "dashboard-kafka", path: "/dashboards/kafka?from=now-15m&to=now" },
  { name: "resources", path: "/resources" },
  { name: "data-in", path: "/data-in" },
  { name: "receipts", path: "/receipts" },
  { name: "environments", path: "/settings/environments" },
  { name: "people", path: "/settings/people" },
  { name: "keys", path: "/settings/keys" },
  { name: "retention", path: "/settings/retention" },
  { name: "catalogue", path: "/settings/catalogue" },
  { name: "audit-log", path: "/settings/audit-log" },
];
