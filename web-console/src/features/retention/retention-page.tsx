import { Button, NumberInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { body, control, read } from "../../api/client";
import { retentionQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { count } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { useVersionedForm } from "../../lib/versioned-form";
import { Outdated } from "../../ui/outdated";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Failure, Forbidden, Loaded, Note } from "../../ui/states";

type Draft = Schemas["RetentionDraft"];

const LEVELS = [
  { field: "raw_days", level: "raw", name: "Points as sent" },
  { field: "rollup_1m_days", level: "rollup_1m", name: "One minute" },
  { field: "rollup_1h_days", level: "rollup_1h", name: "One hour" },
  { field: "rollup_1d_days", level: "rollup_1d", name: "One day" },
] as const;

/** How long data are kept, by level; what a change would remove is counted before it is made. */
export function RetentionPage() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("retention:read");
  const mayWrite = useAllowed("retention:write") === true;
  const retention = useQuery({ ...retentionQuery(organization, environment), enabled: mayRead === true });
  return (
    <>
      <PageHead title="Settings: retention" />
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? (
          <Forbidden permission="retention:read" what="see how long data are kept" />
        ) : (
          <Loaded query={retention}>
            {({ data, etag }) => (
              <>
                <Form key={`${organization} ${environment}`} policy={data.policy} etag={etag} mayWrite={mayWrite} />
                {data.updated_at && <p className="quiet small">Last changed {formatTime(data.updated_at, zone, "minute")}.</p>}
                {data.policy.metrics && data.policy.metrics.length > 0 && (
                  <section className="stack">
                    <h2>Exceptions by metric</h2>
                    <table className="data as-list">
                      <thead>
                        <tr>
                          <th>Metrics</th>
                          {LEVELS.map((each) => (
                            <th key={each.field} className="num">
                              {each.name}
                            </th>
                          ))}
                        </tr>
                      </thead>
                      <tbody>
                        {data.policy.metrics.map((each) => (
                          <tr key={each.pattern}>
                            <td data-label="Metrics" className="mono break">
                              {each.pattern}
                            </td>
                            {LEVELS.map((level) => (
                              <td key={level.field} data-label={level.name} className="num">
                                {each[level.field] ? `${each[level.field]} d` : "as above"}
                              </td>
                            ))}
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </section>
                )}
              </>
            )}
          </Loaded>
        )}
      </div>
    </>
  );
}

interface RetentionForm {
  days: Record<string, number | "">;
  metrics: Draft["metrics"];
}

function Form({ policy, etag, mayWrite }: { policy: Draft; etag: string; mayWrite: boolean }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const client = useQueryClient();
  const path = { organization_id: organization, environment_id: environment };
  const edited = useVersionedForm<RetentionForm>({ days: Object.fromEntries(LEVELS.map(({ field }) => [field, policy[field] ?? ""])), metrics: policy.metrics }, etag);
  const { days, metrics } = edited.text;
  const draft: Draft = { ...Object.fromEntries(LEVELS.flatMap(({ field }) => (days[field] === "" || days[field] === undefined ? [] : [[field, days[field]]]))), ...(metrics ? { metrics } : {}) };
  const preview = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/retention/preview", { params: { path }, body: draft })),
  });
  const change = useMutation({
    mutationFn: (_sent: RetentionForm) => read(control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/retention", { params: { path, header: { "If-Match": edited.etag } }, body: draft })),
    onSuccess: (saved, sent) => {
      preview.reset();
      edited.saved(sent, sent, saved.etag);
    },
    onSettled: () => client.invalidateQueries(retentionQuery(organization, environment)),
  });
  const rows = preview.data?.levels.reduce((sum, level) => sum + (level.rows ?? 0), 0) ?? 0;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        preview.mutate();
      }}
    >
      <p>Days that each level is kept. Leave one empty to keep it without a limit. Expired rows are hidden within seconds and removed within a day.</p>
      <div className="form-grid">
        {LEVELS.map(({ field, name }) => (
          <NumberInput
            key={field}
            label={name}
            suffix=" days"
            min={1}
            max={36500}
            allowDecimal={false}
            placeholder="no limit"
            disabled={!mayWrite}
            value={days[field] ?? ""}
            onChange={(value) => {
              preview.reset();
              edited.put((before) => ({ ...before, days: { ...before.days, [field]: typeof value === "number" ? value : "" } }));
            }}
          />
        ))}
      </div>
      {mayWrite && (
        <Button type="submit" variant="default" loading={preview.isPending} disabled={!edited.isChanged} w="fit-content">
          See what this removes
        </Button>
      )}
      {preview.error && <Failure fault={preview.error} retry={() => preview.mutate()} />}
      {preview.data && (
        <div className="stack" aria-live="polite">
          <table className="data as-list">
            <thead>
              <tr>
                <th>Level</th>
                <th>Kept since</th>
                <th className="num">Rows that go</th>
                <th>Oldest of these</th>
              </tr>
            </thead>
            <tbody>
              {preview.data.levels.map((each) => (
                <tr key={each.level}>
                  <td data-label="Level">{LEVELS.find((level) => level.level === each.level)?.name ?? each.level}</td>
                  <td data-label="Kept since">{each.kept_since ? formatTime(each.kept_since, zone, "minute") : "the beginning"}</td>
                  <td data-label="Rows that go" className="num">
                    {each.rows === undefined ? "not counted" : count(each.rows)}
                  </td>
                  <td data-label="Oldest of these">{each.oldest ? formatTime(each.oldest, zone, "minute") : "none"}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Note {...(rows > 0 ? { tone: "danger" as const } : {})}>{rows > 0 ? `${count(rows)} stored rows go within a day and cannot be brought back.` : "Nothing that is stored now would go."}</Note>
          <Button color={rows > 0 ? "red" : undefined} loading={change.isPending} onClick={() => change.mutate(edited.text)} w="fit-content">
            Change the retention
          </Button>
        </div>
      )}
      {change.error && <Failure fault={change.error} />}
      <Outdated
        form={edited}
        reset={() => {
          preview.reset();
          change.reset();
        }}
      />
      {change.isSuccess && !preview.data && !edited.isChanged && <Note>The retention was changed. It is in force within 5 seconds.</Note>}
    </form>
  );
}
