import { ActionIcon, Autocomplete, Button, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { labelValuesQuery } from "../api/queries";
import { displayed } from "../lib/displayed";
import type { Condition } from "../lib/question";
import { useScope } from "../lib/scope";
import { shortLabel } from "../lib/series";

const NO_NAMES: readonly string[] = [];

/** Filters on labels, with the values that they had. */
export function Conditions({ labels, metric, where, change, names = NO_NAMES }: { labels: readonly string[]; metric: string | undefined; where: readonly Condition[]; change: (where: Condition[]) => void; /** Values that stand for others, offered first. */ names?: readonly string[] }) {
  const { organization, environment } = useScope();
  const [label, setLabel] = useState<string | null>(null);
  const [is, setIs] = useState<Condition["is"]>("=");
  const [value, setValue] = useState("");
  const values = useQuery({ ...labelValuesQuery(organization, environment, label ?? "", metric), enabled: label !== null });
  const add = (chosen: string) => {
    if (label !== null && chosen !== "") {
      change([...where.filter((each) => !(each.label === label && each.value === chosen)), { label, is, value: chosen }]);
      setValue("");
    }
  };
  return (
    <div className="row">
      {where.map((each, index) => (
        <span key={`${each.label}${each.is}${each.value}`} className="badge">
          <span className="mono">
            {shortLabel(each.label)} {each.is === "=" ? "is" : "is not"} {displayed(each.value, 40)}
          </span>
          <ActionIcon size={16} variant="subtle" color="gray" aria-label={`Remove the filter on ${shortLabel(each.label)}`} onClick={() => change(where.filter((_, other) => other !== index))}>
            <IconX size={12} aria-hidden />
          </ActionIcon>
        </span>
      ))}
      <Select aria-label="Filter by label" placeholder="Filter by label" w={160} data={labels.map((each) => ({ value: each, label: shortLabel(each) }))} value={label} onChange={setLabel} searchable />
      {label !== null && (
        <>
          <Select aria-label="Comparison" w={80} data={[{ value: "=", label: "is" }, { value: "!=", label: "is not" }]} value={is} onChange={(chosen) => setIs(chosen as Condition["is"])} />
          <Autocomplete
            size="xs"
            aria-label="Value"
            placeholder={values.isFetching ? "Reading values" : "Value"}
            w={200}
            data={[...new Set([...names, ...(values.data ?? [])])]}
            limit={100}
            value={value}
            onChange={setValue}
            onOptionSubmit={add}
            onKeyDown={(event) => {
              if (event.key === "Enter") add(value);
            }}
          />
          <Button variant="default" leftSection={<IconPlus size={14} aria-hidden />} disabled={value === ""} onClick={() => add(value)}>
            Add filter
          </Button>
        </>
      )}
    </div>
  );
}
