import { ActionIcon, Button, Checkbox, MultiSelect, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { alertRuleQuery, showRule } from "../../api/alert-queries";
import { control, once, read } from "../../api/client";
import { Problem } from "../../api/problem";
import { metricsQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { AGGREGATION_NAMES, draftOf, earlyObstacle, EMPTY_RULE, formOf, groupText, KIND_NAMES, OPERATOR_NAMES, sentenceOf, type AlertAggregation, type AlertKind, type RuleFaults, type RuleForm } from "../../lib/alert";
import { displayed } from "../../lib/displayed";
import { shortFigure } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { shortLabel } from "../../lib/series";
import { MATCHES } from "../../lib/silence";
import { formatTime } from "../../lib/time-range";
import { useVersionedForm } from "../../lib/versioned-form";
import { Confirm } from "../../ui/confirm";
import { Outdated } from "../../ui/outdated";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { StateBadge } from "./badges";

const RulePreview = lazy(() => import("./rule-preview").then((module) => ({ default: module.RulePreview })));
const RuleBacktest = lazy(() => import("./rule-backtest").then((module) => ({ default: module.RuleBacktest })));

/** One rule, or a new one. */
export function RulePage() {
  const { rule: id = "new" } = useParams({ strict: false }) as { rule?: string };
  return id === "new" ? <NewRule /> : <ExistingRule key={id} id={id} />;
}

function NewRule() {
  const mayWrite = useAllowed("alerts:write");
  const { metric } = useSearch({ strict: false }) as { metric?: unknown };
  return (
    <>
      <PageHead title="New alert rule" />
      <div className="stack">
        <AlertTabs />
        {mayWrite === false ? <Forbidden permission="alerts:write" what="create alert rules" /> : mayWrite === undefined ? <Skeleton rows={4} /> : <Form start={{ ...EMPTY_RULE, metric: typeof metric === "string" ? metric : "" }} />}
      </div>
    </>
  );
}

function ExistingRule({ id }: { id: string }) {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("alerts:read");
  const query = useQuery({ ...alertRuleQuery(organization, environment, id), enabled: mayRead === true });
  const missing = query.error instanceof Problem && query.error.status === 404;
  return (
    <>
      <PageHead title={query.data ? `Rule: ${displayed(query.data.data.name, 80)}` : "Alert rule"} />
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? (
          <Forbidden permission="alerts:read" what="see alert rules" />
        ) : missing ? (
          <Empty title="There is no such rule">
            <p>It may have been deleted; its incidents of the past stay.</p>
            <Link to={"/o/$org/e/$env/alerts/rules" as string} params={{ org: organization, env: environment } as never}>
              All rules
            </Link>
          </Empty>
        ) : (
          <Loaded query={query}>
            {({ data, etag }) => (
              <div className="stack wide">
                <Groups rule={data} />
                <Form start={formOf(data)} rule={data} etag={etag} />
              </div>
            )}
          </Loaded>
        )}
      </div>
    </>
  );
}

/** The state of each group, those that are not normal first. */
function Groups({ rule }: { rule: Schemas["AlertRule"] }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  return (
    <section className="stack" aria-label="State">
      <div className="row">
        {rule.enabled ? <StateBadge state={rule.state} /> : <span className="badge">disabled</span>}
        <span className="quiet small">
          Version {rule.version} decides minutes from {formatTime(rule.effective_from, zone, "minute")} on.
        </span>
        <Link to={"/o/$org/e/$env/alerts" as string} params={{ org: organization, env: environment } as never} search={{ rule: rule.id, state: "all" } as never}>
          Its incidents
        </Link>
        <Link to={"/o/$org/e/$env/explorer" as string} params={{ org: organization, env: environment } as never} search={{ metric: rule.condition.metric } as never}>
          Its metric in the Explorer
        </Link>
      </div>
      {rule.evaluation && <Evaluation evaluation={rule.evaluation} />}
      {rule.groups.length > 0 && (
        <table className="data as-list">
          <thead>
            <tr>
              <th>Group</th>
              <th>State</th>
              <th>Since</th>
              <th className="num">Value</th>
              <th>Why</th>
            </tr>
          </thead>
          <tbody>
            {rule.groups.map((each) => (
              <tr key={groupText(each.group)}>
                <td data-label="Group" className="mono break">
                  {displayed(groupText(each.group), 120)}
                </td>
                <td data-label="State">
                  <StateBadge state={each.state} />
                </td>
                <td data-label="Since" className="nowrap">
                  {formatTime(each.since, zone, "minute")}
                </td>
                <td data-label="Value" className="num">
                  {shortFigure(each.value ?? null)}
                </td>
                <td data-label="Why" className="break">
                  {displayed(each.reason ?? "", 120)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** How far the rule is decided, and why no further. */
function Evaluation({ evaluation }: { evaluation: Schemas["AlertEvaluation"] }) {
  const { zone } = useView();
  if (evaluation.is_blind) return <Note tone="warn">Blind: {displayed(evaluation.reason ?? "rows are not complete.", 300)}</Note>;
  if (evaluation.decided_until === undefined) return null;
  const seen = evaluation.groups_seen ?? 0;
  if (evaluation.reason) return <Note tone="warn">{displayed(evaluation.reason, 300)}</Note>;
  return (
    <p className="quiet small">
      Decided until {formatTime(evaluation.decided_until, zone, "minute")}, {seen === 0 ? "of no group: no row fits it" : seen === 1 ? "of one group" : `of ${seen} groups`}.
    </p>
  );
}

function Form({ start, rule, etag = "" }: { start: RuleForm; rule?: Schemas["AlertRule"]; etag?: string }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useAllowed("alerts:write") === true;
  const edited = useVersionedForm(start, etag);
  const { text: form, isChanged: changed } = edited;
  const [faults, setFaults] = useState<RuleFaults>({});
  const [asked, setAsked] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [key] = useState(once);
  const element = useRef<HTMLFormElement>(null);
  const put = (part: Partial<RuleForm>) => edited.put((before) => ({ ...before, ...part }));
  const path = { organization_id: organization, environment_id: environment };
  // After the first try faults go as they are mended.
  useEffect(() => {
    if (asked) setFaults(draftOf(form).faults);
  }, [asked, form]);
  useEffect(() => {
    if (!changed) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [changed]);
  /** The version that was sent is not the newest. */
  const readAgain = async (fault: Error) => {
    if (rule && fault instanceof Problem && fault.status === 412) await client.invalidateQueries({ queryKey: alertRuleQuery(organization, environment, rule.id).queryKey });
  };
  const save = useMutation({
    mutationFn: ({ draft }: { form: RuleForm; draft: Schemas["AlertRuleDraft"] }) =>
      rule
        ? read(
            control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/{alert_rule_id}", {
              params: { path: { ...path, alert_rule_id: rule.id }, header: { "If-Match": edited.etag } },
              body: draft,
            }),
          )
        : read(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules", { params: { path, header: key }, body: draft })),
    onSuccess: async (saved, sent) => {
      showRule(client, organization, environment, saved);
      edited.saved(sent.form, formOf(saved.data), saved.etag);
      await client.invalidateQueries({ queryKey: [organization, environment, "alert-rules"] });
      if (!rule) await navigate({ to: "/o/$org/e/$env/alerts/rules/$rule" as string, params: { org: organization, env: environment, rule: saved.data.id } as never });
    },
    onError: readAgain,
  });
  const remove = useMutation({
    mutationFn: () =>
      read(
        control.DELETE("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/{alert_rule_id}", {
          params: { path: { ...path, alert_rule_id: rule?.id ?? "" }, header: { "If-Match": etag } },
        }),
      ),
    onSuccess: async () => {
      await navigate({ to: "/o/$org/e/$env/alerts/rules" as string, params: { org: organization, env: environment } as never });
      await client.invalidateQueries({ queryKey: [organization, environment, "alert-rules"] });
    },
    onError: readAgain,
  });
  const submit = () => {
    const { draft, faults: found } = draftOf(form);
    setAsked(true);
    setFaults(found);
    if (draft) save.mutate({ form, draft });
    else requestAnimationFrame(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  const preview = draftOf(form).draft;
  // A condition can be tried before the rule has a name.
  const condition = draftOf({ ...form, name: "preview", labels: "", annotations: "", runbook: "" }).draft?.condition;
  const disabled = !mayWrite;
  const text = (field: keyof RuleForm, label: string, description?: string) => (
    <TextInput label={label} description={description} disabled={disabled} value={String(form[field])} error={faults[field]} onChange={(event) => put({ [field]: event.currentTarget.value })} />
  );
  return (
    <form
      ref={element}
      className="stack wide"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="form-grid">
        {text("name", "Name")}
        <Select label="Severity" disabled={disabled} allowDeselect={false} data={["critical", "warning", "info"]} value={form.severity} onChange={(value) => put({ severity: (value ?? "warning") as RuleForm["severity"] })} />
        <Switch label="Enabled" description="Not enabled, it is not evaluated and its incidents are resolved." disabled={disabled} checked={form.enabled} onChange={(event) => put({ enabled: event.currentTarget.checked })} />
      </div>
      <Condition form={form} faults={faults} put={put} disabled={disabled} />
      <Suspense fallback={<Skeleton rows={1} height={200} />}>
        <RulePreview form={form} />
      </Suspense>
      <section className="stack" aria-label="What is told">
        <h2>What is told</h2>
        {text("description", "Description")}
        <div className="form-grid">
          <Textarea label="Labels" description="One a line, as in team: streaming. Integrations choose by them." rows={3} disabled={disabled} value={form.labels} error={faults.labels} onChange={(event) => put({ labels: event.currentTarget.value })} />
          <Textarea label="Annotations" description="One a line, as in summary: at {{value}}." rows={3} disabled={disabled} value={form.annotations} error={faults.annotations} onChange={(event) => put({ annotations: event.currentTarget.value })} />
        </div>
        {text("runbook", "Runbook", "A link for whoever is called.")}
      </section>
      {preview && <Note>{displayed(sentenceOf(preview.condition), 400)}.</Note>}
      <RuleBacktest condition={condition} />
      {save.error && <Failure fault={save.error} />}
      <Outdated form={edited} reset={save.reset} />
      {save.isSuccess && !changed && <Note>Saved.</Note>}
      {mayWrite && (
        <div className="row">
          <Button type="submit" loading={save.isPending} disabled={rule !== undefined && !changed}>
            {rule ? "Save" : "Create rule"}
          </Button>
          {rule && (
            <Button variant="default" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
        </div>
      )}
      {deleting && rule && (
        <Confirm title={`Delete ${displayed(rule.name, 60)}`} action="Delete rule" close={() => setDeleting(false)} run={() => remove.mutate()} pending={remove.isPending} fault={remove.error}>
          <p>Its open incidents are resolved. Incidents of the past stay.</p>
        </Confirm>
      )}
    </form>
  );
}

function Condition({ form, faults, put, disabled }: { form: RuleForm; faults: RuleFaults; put: (part: Partial<RuleForm>) => void; disabled: boolean }) {
  const { organization, environment } = useScope();
  const catalogue = useQuery(metricsQuery(organization, environment));
  const names = useMemo(() => [...new Set([...(catalogue.data?.map((each) => each.name) ?? []), form.metric, form.denominator].filter((each) => each !== ""))].sort(), [catalogue.data, form.metric, form.denominator]);
  const labels = useMemo(() => {
    const own = catalogue.data?.find((each) => each.name === form.metric)?.discovered?.labels.map((each) => `metric.${each}`) ?? [];
    return [...new Set([...own, ...form.groupBy, ...form.matchers.map((each) => each.label)])].sort();
  }, [catalogue.data, form.metric, form.groupBy, form.matchers]);
  const [label, setLabel] = useState<string | null>(null);
  const [operator, setOperator] = useState<Schemas["LabelMatcherOperator"]>("eq");
  const [value, setValue] = useState("");
  const figure = (field: keyof RuleForm, name: string, description?: string) => (
    <TextInput label={name} inputMode="decimal" disabled={disabled} value={String(form[field])} error={faults[field]} description={description} inputWrapperOrder={["label", "input", "description", "error"]} onChange={(event) => put({ [field]: event.currentTarget.value })} />
  );
  const aggregations = Object.entries(AGGREGATION_NAMES).map(([each, name]) => ({ value: each, label: name }));
  const obstacle = earlyObstacle(form);
  const hasAggregation = form.kind !== "absence" && form.kind !== "quantile";
  const add = () => {
    if (label === null) return;
    put({ matchers: [...form.matchers, { label, operator, value }] });
    setValue("");
  };
  return (
    <section className="stack" aria-label="Condition">
      <h2>Condition</h2>
      <div className="form-grid">
        <Select label="Kind" disabled={disabled} allowDeselect={false} data={Object.entries(KIND_NAMES).map(([each, name]) => ({ value: each, label: name }))} value={form.kind} onChange={(each) => put({ kind: (each ?? "threshold") as AlertKind })} />
        <Select label="Metric" searchable limit={200} disabled={disabled} data={names} value={form.metric || null} error={faults.metric} placeholder="Choose a metric" nothingFoundMessage="No metric has a name like this" onChange={(each) => put({ metric: each ?? "", groupBy: [], matchers: [] })} />
        {hasAggregation && <Select label="Aggregation" disabled={disabled} allowDeselect={false} data={aggregations} value={form.aggregation} onChange={(each) => put({ aggregation: (each ?? "avg") as AlertAggregation })} />}
        {form.kind === "ratio" && (
          <>
            <Select label="Divided by metric" searchable limit={200} disabled={disabled} data={names} value={form.denominator || null} error={faults.denominator} onChange={(each) => put({ denominator: each ?? "" })} />
            <Select label="Aggregation of it" disabled={disabled} allowDeselect={false} data={aggregations} value={form.denominatorAggregation} onChange={(each) => put({ denominatorAggregation: (each ?? "sum") as AlertAggregation })} />
          </>
        )}
        {form.kind === "quantile" && figure("quantile", "Quantile", "As in 0.99.")}
        {form.kind === "anomaly" && figure("days", "Days to compare with")}
        {form.kind === "forecast" && figure("limit", "Limit that is looked out for")}
        {form.kind === "change" && figure("offset", "Against minutes before")}
        {form.kind === "change" && <Switch label="As a percentage" disabled={disabled} checked={form.percent} onChange={(event) => put({ percent: event.currentTarget.checked })} />}
        {figure("window", "Over minutes")}
      </div>
      <div className="row">
        {form.matchers.map((each, index) => (
          <span key={`${each.label} ${each.operator} ${each.value}`} className="badge">
            <span className="mono">
              {shortLabel(each.label)} {MATCHES[each.operator]} {displayed(each.value, 40)}
            </span>
            {!disabled && (
              <ActionIcon size={16} variant="subtle" color="gray" aria-label={`Remove the filter on ${shortLabel(each.label)}`} onClick={() => put({ matchers: form.matchers.filter((_, other) => other !== index) })}>
                <IconX size={12} aria-hidden />
              </ActionIcon>
            )}
          </span>
        ))}
        {!disabled && form.metric !== "" && form.matchers.length < 16 && (
          <>
            <Select aria-label="Filter by label" placeholder="Filter by label" w={160} searchable data={labels.map((each) => ({ value: each, label: shortLabel(each) }))} value={label} onChange={setLabel} />
            {label !== null && (
              <>
                <Select aria-label="Comparison" w={150} allowDeselect={false} data={Object.entries(MATCHES).map(([each, name]) => ({ value: each, label: name }))} value={operator} onChange={(each) => setOperator((each ?? "eq") as Schemas["LabelMatcherOperator"])} />
                <TextInput aria-label="Value" placeholder="Value" w={180} maxLength={1000} value={value} onChange={(event) => setValue(event.currentTarget.value)} />
                <Button variant="default" onClick={add}>
                  Add filter
                </Button>
              </>
            )}
          </>
        )}
      </div>
      <div className="form-grid">
        {form.kind !== "ratio" && <Checkbox label="Decide each series on its own" disabled={disabled} checked={form.perSeries} onChange={(event) => put({ perSeries: event.currentTarget.checked, groupBy: [] })} />}
        {!form.perSeries && <MultiSelect size="xs" label="Decide by" disabled={disabled} searchable clearable maxValues={16} placeholder={form.groupBy.length > 0 ? "" : "All series together"} data={labels.map((each) => ({ value: each, label: shortLabel(each) }))} value={form.groupBy} onChange={(groupBy) => put({ groupBy })} />}
      </div>
      <div className="form-grid">
        <Select label="Fires when" disabled={disabled} allowDeselect={false} data={Object.entries(OPERATOR_NAMES).map(([each, name]) => ({ value: each, label: name }))} value={form.operator} onChange={(each) => put({ operator: (each ?? "gt") as RuleForm["operator"] })} />
        {figure("threshold", "Threshold")}
        {figure("forMinutes", "For minutes in a row")}
        {figure("recovery", "Recovers at", "Empty: at the threshold.")}
        {figure("recoverAfter", "Normal after minutes in a row")}
        {figure("noDataAfter", "No data after minutes", "In a row, without a value.")}
        <Switch
          label="Raise early"
          description={obstacle ?? "From minutes that are not complete; the complete minute confirms or retracts it."}
          disabled={disabled || obstacle !== undefined}
          checked={form.early && obstacle === undefined}
          onChange={(event) => put({ early: event.currentTarget.checked })}
        />
      </div>
    </section>
  );
}
