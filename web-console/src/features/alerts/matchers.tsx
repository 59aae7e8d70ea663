import { ActionIcon, Autocomplete, Button, Select, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "../../api/queries";
import { displayed } from "../../lib/displayed";
import { COMMON_LABELS, MATCHES, type Matcher } from "../../lib/silence";

/** Matchers in a line, harmless to show. */
export function MatcherBadges({ matchers }: { matchers: readonly Matcher[] }) {
  return (
    <span className="row">
      {matchers.map((each, index) => (
        <span key={index} className="badge mono">
          {displayed(each.label, 60)} {MATCHES[each.operator]} {each.value === "" ? "empty" : displayed(each.value, 60)}
        </span>
      ))}
    </span>
  );
}

/** Labels that incidents must have; every one has to fit. */
export function MatcherFields({ legend, matchers, fault, put }: { legend: string; matchers: Matcher[]; fault: string | undefined; put: (matchers: Matcher[]) => void }) {
  const [label, setLabel] = useState("");
  const [operator, setOperator] = useState<Schemas["LabelMatcherOperator"]>("eq");
  const [value, setValue] = useState("");
  const add = () => {
    put([...matchers, { label: label.trim(), operator, value }]);
    setLabel("");
    setValue("");
  };
  return (
    <fieldset className="plain-fieldset stack tight">
      <legend>{legend}</legend>
      {matchers.length > 0 && (
        <ul className="plain-list">
          {matchers.map((each, index) => (
            <li key={index} className="row">
              <MatcherBadges matchers={[each]} />
              <ActionIcon size={20} variant="subtle" color="gray" aria-label={`Remove ${displayed(each.label, 60)}`} onClick={() => put(matchers.filter((_, other) => other !== index))}>
                <IconX size={12} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {matchers.length < 16 && (
        <div className="row end">
          <Autocomplete size="xs" label="Label" placeholder="rule_name, labels.team, metric.topic" w={190} maxLength={255} data={[...COMMON_LABELS]} value={label} onChange={setLabel} />
          <Select label="Comparison" w={130} data={Object.entries(MATCHES).map(([each, name]) => ({ value: each, label: name }))} value={operator} onChange={(each) => setOperator((each ?? "eq") as Schemas["LabelMatcherOperator"])} />
          <TextInput
            label="Value"
            w={170}
            maxLength={1000}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || label.trim() === "") return;
              event.preventDefault();
              add();
            }}
          />
          <Button variant="default" disabled={label.trim() === ""} onClick={add}>
            Add label
          </Button>
        </div>
      )}
      {fault && (
        <p className="small danger" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
