import { ActionIcon, Autocomplete, Button, Checkbox, TagsInput, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { labelValuesQuery } from "../../api/queries";
import { useScope } from "../../lib/scope";
import { MOST_CHOSEN, MOST_VARIABLES, type Variable } from "../../lib/variables";

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
        <div key={index} className="row end panel-edit" role="group" aria-label={`Variable ${index + 1}: ${each.name}`}>
          <TextInput label="Name" w={160} maxLength={64} value={each.name} onChange={(event) => put(index, { name: event.currentTarget.value })} />
          <Autocomplete size="xs" label="Label" w={220} maxLength={512} data={[...labels]} value={each.label} onChange={(label) => put(index, { label })} />
          <Defaults variable={each} change={(values) => put(index, { default: values })} />
          <Checkbox size="xs" pb={6} label="Several values" checked={each.multi} onChange={(event) => put(index, { multi: event.currentTarget.checked, ...(event.currentTarget.checked ? {} : { default: each.default.slice(0, 1) }) })} />
          <span className="grow" />
          <ActionIcon variant="default" size={30} aria-label={`Remove variable ${index + 1}`} onClick={() => change(variables.filter((_, other) => other !== index))}>
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button variant="default" w="fit-content" disabled={variables.length >= MOST_VARIABLES} onClick={() => change([...variables, { name: free(), label: labels[0] ?? "", default: [], multi: false }])}>
        Add a variable
      </Button>
    </section>
  );
}

function Defaults({ variable, change }: { variable: Variable; change: (values: string[]) => void }) {
  const { organization, environment } = useScope();
  const values = useQuery({ ...labelValuesQuery(organization, environment, variable.label, undefined), enabled: /^(metric|resource)\../.test(variable.label) });
  return <TagsInput size="xs" label="Chosen at first" miw={200} maw={360} maxTags={variable.multi ? MOST_CHOSEN : 1} placeholder={variable.default.length === 0 ? "Every value" : ""} data={[...new Set(values.data ?? [])]} limit={100} value={variable.default} onChange={change} />;
}
