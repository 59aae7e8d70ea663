/** Every page below an environment, and one state of it that has something to show. */
export const pages: { name: string; path: string }[] = [
  { name: "home", path: "" },
  { name: "explorer", path: "/explorer" },
  { name: "explorer-chart", path: "/explorer?metric=kafka.topic.messages&agg=RATE&by=%5B%22metric.topic%22%5D&from=now-15m&to=now" },
  { name: "data-in", path: "/data-in" },
];
