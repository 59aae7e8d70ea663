import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { labelValuesQuery } from "../../api/queries";
import { displayed } from "../../lib/displayed";
import { useScope } from "../../lib/scope";
import { shortLabel } from "../../lib/series";
import type { Selection, Variable } from "../../lib/variables";

/** What is chosen of each variable of a dashboard; nothing stands for every value. */
export function VariableChoices({ variables, selection, most, change }: { variables: readonly Variable[]; selection: Selection; /** Values that may be chosen of one. */ most: number; change: (selection: Selection) => void }) {
  return (
    <div className="row end" role="group" aria-label="Variables">
      {variables.map((each) => (
        <Choice key={each.name} variable={each} most={most} values={selection.get(each.name) ?? []} change={(values) => change(new Map([...selection, [each.name, values]]))} />
      ))}
    </div>
  );
}

function Choice({ variable, most, values, change }: { variable: Variable; most: number; values: readonly string[]; change: (values: string[]) => void }) {
  const { organization, environment } = useScope();
  const offered = useQuery(labelValuesQuery(organization, environment, variable.label, undefined));
  const all = [...new Set([...values, ...(offered.data ?? [])])].map((value) => ({ value, label: displayed(value, 60) }));
  const shared = {
    size: "xs",
    comboboxProps: { transitionProps: { duration: 0 } },
    label: variable.name,
    title: `Values of ${shortLabel(variable.label)}`,
    data: all,
    searchable: true,
    clearable: true,
    limit: 200,
    nothingFoundMessage: offered.isPending ? "Reading values" : "No such value in the last hours",
  };
  const none = `All of ${displayed(shortLabel(variable.label), 30)}`;
  return variable.multi ? (
    <MultiSelect {...shared} miw={200} maw={420} maxValues={most} value={[...values]} onChange={change} placeholder={values.length === 0 ? none : ""} />
  ) : (
    <Select {...shared} allowDeselect w={200} value={values[0] ?? null} onChange={(value) => change(value === null ? [] : [value])} placeholder={none} />
  );
}
