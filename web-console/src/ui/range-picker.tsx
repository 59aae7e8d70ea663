import { Button, Menu, TextInput } from "@mantine/core";
import { IconChevronDown, IconClock } from "@tabler/icons-react";
import { useState } from "react";
import { useView } from "../lib/scope";
import { boundsOf, instantOf, PRESETS, rangeLabel } from "../lib/time-range";

function input(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}

/** Time range and zone of the page; both are in its address. */
export function RangePicker() {
  const { range, zone, setRange, setZone } = useView();
  const [opened, setOpened] = useState(false);
  const bounds = boundsOf(range, Date.now());
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const start = instantOf(`${from}:00Z`, 0);
  const end = instantOf(`${to}:00Z`, 0);
  const wrong = start === undefined || end === undefined ? "Use the form 2026-01-31T12:00" : start >= end ? "It must begin before it ends" : undefined;
  return (
    <div className="row">
      <Menu
        opened={opened}
        onChange={(open) => {
          setOpened(open);
          setFrom(input(bounds.from));
          setTo(input(bounds.to));
        }}
        position="bottom-end"
        width={260}
      >
        <Menu.Target>
          <Button variant="default" leftSection={<IconClock size={14} aria-hidden />} rightSection={<IconChevronDown size={14} aria-hidden />}>
            <span className="hidden">Time range: </span>
            {rangeLabel(range, zone)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {PRESETS.map((preset) => (
            <Menu.Item key={preset.label} onClick={() => setRange(preset.range)}>
              {preset.label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <form
            className="stack"
            onKeyDown={(event) => event.stopPropagation()}
            onSubmit={(event) => {
              event.preventDefault();
              if (!wrong) {
                setRange({ from: `${from}:00Z`, to: `${to}:00Z` });
                setOpened(false);
              }
            }}
          >
            <TextInput label="From (UTC)" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
            <TextInput label="To (UTC)" value={to} error={wrong} onChange={(event) => setTo(event.currentTarget.value)} />
            <Button type="submit">Show this range</Button>
          </form>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" aria-pressed={zone === "utc"} onClick={() => setZone(zone === "utc" ? "local" : "utc")} title="Show times in UTC or in the zone of this browser">
        {zone === "utc" ? "UTC" : "Local"}
      </Button>
    </div>
  );
}
