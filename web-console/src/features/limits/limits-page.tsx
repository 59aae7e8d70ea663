import { Button, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { control, read } from "../../api/client";
import type { Schemas } from "../../api/queries";
import type { Permission } from "../../api/vocabulary.gen";
import { useAllowed } from "../../lib/access";
import { limitsOf, textsOf, type LimitTexts } from "../../lib/limits";
import { count } from "../../lib/numbers";
import { useScope } from "../../lib/scope";
import { useVersionedForm } from "../../lib/versioned-form";
import { Outdated } from "../../ui/outdated";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";

const QUOTAS = ["points_per_second", "bytes_per_second", "requests_per_second"] as const;
const BUDGETS = ["active_series", "new_series_per_minute", "labels_per_series", "label_keys_per_metric", "label_value_length"] as const;

const NAMES: Record<(typeof QUOTAS)[number] | (typeof BUDGETS)[number], string> = {
  points_per_second: "Points a second",
  bytes_per_second: "Bytes a second, compressed",
  requests_per_second: "Requests a second",
  active_series: "Active series",
  new_series_per_minute: "New series a minute",
  labels_per_series: "Labels of one series",
  label_keys_per_metric: "Label names of one metric",
  label_value_length: "Characters of a label value",
};

/** What may be sent, in the whole organisation and in this environment, and what becomes of the excess. */
export function LimitsPage() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("budgets:read");
  return (
    <>
      <PageHead title="Settings: limits" note="What is over a quota is refused with 429 and sent again by every good sender; what is over a budget of series is folded, never lost." />
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? <Forbidden permission="budgets:read" what="see limits" /> : mayRead === undefined ? <Skeleton /> : <Limits key={`${organization} ${environment}`} />}
      </div>
    </>
  );
}

function Limits() {
  const { organization, environment } = useScope();
  const path = { organization_id: organization, environment_id: environment };
  const quotasHere = useQuery({ queryKey: [organization, environment, "quotas"], queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/quotas", { params: { path } })) });
  const quotas = useQuery({ queryKey: [organization, "quotas"], queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/quotas", { params: { path: { organization_id: organization } } })) });
  const budgetsHere = useQuery({ queryKey: [organization, environment, "budgets"], queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/budgets", { params: { path } })) });
  const budgets = useQuery({ queryKey: [organization, "budgets"], queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/budgets", { params: { path: { organization_id: organization } } })) });
  return (
    <div className="stack wide">
      <Loaded query={quotasHere}>
        {({ data, etag }) => (
          <Form
            etag={etag}
            title="Quotas of this environment"
            names={QUOTAS}
            set={data.set}
            inForce={data.in_force}
            needs="budgets:write"
            save={(draft, _excess, etag) => read(control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/quotas", { params: { path, header: { "If-Match": etag } }, body: draft }))}
          />
        )}
      </Loaded>
      <Loaded query={budgetsHere}>
        {({ data, etag }) => (
          <Form
            etag={etag}
            title="Series of this environment"
            names={BUDGETS}
            set={data.set}
            inForce={data.in_force}
            needs="budgets:write"
            excess={data.set.when_series_exceeded ?? ""}
            save={(draft, excess, etag) => read(control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/budgets", { params: { path, header: { "If-Match": etag } }, body: { ...draft, ...(excess ? { when_series_exceeded: excess } : {}) } }))}
          />
        )}
      </Loaded>
      <Loaded query={quotas}>
        {({ data, etag }) => (
          <Form
            etag={etag}
            title="Quotas of the organisation"
            names={QUOTAS}
            set={data.set}
            inForce={data.in_force}
            needs="organization:write"
            save={(draft, _excess, etag) => read(control.PUT("/api/v1/organizations/{organization_id}/quotas", { params: { path: { organization_id: organization }, header: { "If-Match": etag } }, body: draft }))}
          />
        )}
      </Loaded>
      <Loaded query={budgets}>
        {({ data, etag }) => (
          <Form
            etag={etag}
            title="Series of each environment, where it has none of its own"
            names={BUDGETS}
            set={data.set}
            inForce={data.in_force}
            needs="organization:write"
            excess={data.set.when_series_exceeded ?? ""}
            save={(draft, excess, etag) => read(control.PUT("/api/v1/organizations/{organization_id}/budgets", { params: { path: { organization_id: organization }, header: { "If-Match": etag } }, body: { ...draft, ...(excess ? { when_series_exceeded: excess } : {}) } }))}
          />
        )}
      </Loaded>
    </div>
  );
}

type Excess = Schemas["WhenSeriesExceeded"] | "";

interface LimitForm<K extends string> {
  texts: LimitTexts<K>;
  chosen: Excess;
}

function Form<K extends keyof typeof NAMES>({
  title,
  names,
  set,
  inForce,
  needs,
  excess,
  etag,
  save,
}: {
  title: string;
  names: readonly K[];
  set: Partial<Record<K, number | null>>;
  inForce: Record<K, number>;
  needs: Permission;
  /** What becomes of the excess; absent for quotas. */
  excess?: Excess;
  etag: string;
  save: (draft: Partial<Record<K, number>>, excess: Excess, etag: string) => Promise<{ etag: string }>;
}) {
  const { organization } = useScope();
  const client = useQueryClient();
  const mayWrite = useAllowed(needs) === true;
  const edited = useVersionedForm<LimitForm<K>>({ texts: textsOf(names, set), chosen: excess ?? "" }, etag);
  const { texts, chosen } = edited.text;
  const [faults, setFaults] = useState<Partial<Record<K, string>>>({});
  const change = useMutation({
    mutationFn: ({ draft, text }: { draft: Partial<Record<K, number>>; text: LimitForm<K> }) => save(draft, text.chosen, edited.etag),
    onSuccess: (saved, { text }) => edited.saved(text, text, saved.etag),
    // What is set above is in force below; what was changed meanwhile is read.
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === organization && (queryKey.includes("quotas") || queryKey.includes("budgets")) }),
  });
  return (
    <form
      className="section stack"
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const { draft, faults: found } = limitsOf(texts);
        setFaults(found);
        if (draft) change.mutate({ draft, text: edited.text });
      }}
    >
      <h2>{title}</h2>
      <div className="form-grid">
        {names.map((name) => (
          <TextInput key={name} label={NAMES[name]} description={`In force: ${count(inForce[name])}`} placeholder="as above" inputMode="numeric" disabled={!mayWrite} value={texts[name]} error={faults[name]} onChange={(event) => edited.put({ texts: { ...texts, [name]: event.currentTarget.value }, chosen })} />
        ))}
        {excess !== undefined && (
          <Select
            label="Series in excess"
            description="Folded ones count for one overflow series."
            disabled={!mayWrite}
            data={[
              { value: "", label: "As above" },
              { value: "fold", label: "Fold them" },
              { value: "refuse", label: "Refuse the environment's batches" },
            ]}
            value={chosen}
            onChange={(value) => edited.put({ texts, chosen: (value ?? "") as Excess })}
          />
        )}
      </div>
      {change.error && <Failure fault={change.error} />}
      <Outdated form={edited} reset={change.reset} />
      {change.isSuccess && !edited.isChanged && <Note>Saved.</Note>}
      {mayWrite ? (
        <Button type="submit" variant="default" w="fit-content" loading={change.isPending} aria-label={`Save: ${title}`}>
          Save
        </Button>
      ) : (
        <Note>Changing these needs the permission {needs}.</Note>
      )}
    </form>
  );
}
