import { ActionIcon, Autocomplete, Button, Textarea, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { MAX_VARIABLES, type Variable } from "../../lib/variables";

/** Labels that readers choose values of: their names, and what is chosen at first. */
export function VariableEditor({ variables, labels, change }: { variables: readonly Variable[]; labels: readonly string[]; change: (variables: Variable[]) => void }) {
  const put = (index: number, part: Partial<Variable>) => change(variables.map((each, other) => (other === index ? { ...each, ...part } : each)));
  const free = () => {
    for (let number = variables.length + 1; ; number++) {
      const name = `choice${number}`;
      if (variables.every((each) => each.name !== name)) return name;
    }
  };
  return (
    <section className="stack tight" aria-label="Variables">
      <h2>Variables</h2>
      <p className="quiet small">Readers choose values of a label. A filter of a panel whose value is $name takes what they choose.</p>
      {variables.map((each, index) => (
        <div key={`${index} of ${variables.length}`} className="row end panel-edit" role="group" aria-label={`Variable ${index + 1}: ${each.name}`}>
          <TextInput label="Name" w={160} maxLength={64} value={each.name} onChange={(event) => put(index, { name: event.currentTarget.value })} />
          <Autocomplete size="xs" label="Label" w={220} maxLength={512} data={[...labels]} value={each.label} onChange={(label) => put(index, { label })} />
          <Defaults key={String(each.multi)} variable={each} change={(values) => put(index, { default: values })} />
          <label className="row small">
            <input type="checkbox" checked={each.multi} onChange={(event) => put(index, { multi: event.currentTarget.checked, ...(event.currentTarget.checked ? {} : { default: each.default.slice(0, 1) }) })} />
            Several values
          </label>
          <span className="grow" />
          <ActionIcon variant="default" size={30} aria-label={`Remove variable ${index + 1}`} onClick={() => change(variables.filter((_, other) => other !== index))}>
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button variant="default" w="fit-content" disabled={variables.length >= MAX_VARIABLES} onClick={() => change([...variables, { name: free(), label: labels[0] ?? "", default: [], multi: false }])}>
        Add a variable
      </Button>
    </section>
  );
}

/** Values of which each has a line; what is typed stays as it is until it is a value. */
function Defaults({ variable, change }: { variable: Variable; change: (values: string[]) => void }) {
  const [text, setText] = useState(variable.default.join("\n"));
  const put = (typed: string) => {
    setText(typed);
    change(typed.split("\n").filter((value) => value !== ""));
  };
  return variable.multi ? (
    <Textarea label="Chosen at first, a value a line" w={220} rows={2} placeholder="Every value" value={text} onChange={(event) => put(event.currentTarget.value)} />
  ) : (
    <TextInput label="Chosen at first" w={220} maxLength={1024} placeholder="Every value" value={text} onChange={(event) => put(event.currentTarget.value)} />
  );
}
