import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { alertPacksQuery } from "../../api/alert-queries";
import { body, control } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { KIND_NAMES } from "../../lib/alert";
import { displayed } from "../../lib/displayed";
import { plural } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { SeverityBadge } from "./badges";

type Pack = Schemas["AlertPack"];

/** Rules that come along for known systems: what is inside, and one button that makes them rules of the environment. */
export function PacksPage() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("alerts:read");
  const mayWrite = useAllowed("alerts:write") === true;
  const packs = useQuery({ ...alertPacksQuery(organization, environment), enabled: mayRead === true });
  return (
    <>
      <PageHead title="Alert packs" note="Rules that come along, each with its runbook. Enabled, they are rules of this environment like any other." />
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? (
          <Forbidden permission="alerts:read" what="see alert packs" />
        ) : mayRead === undefined ? (
          <Skeleton />
        ) : (
          <Loaded query={packs}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty title="No packs come along" />
              ) : (
                <div className="stack wide">
                  {data.map((pack) => (
                    <PackSection key={pack.id} pack={pack} mayWrite={mayWrite} />
                  ))}
                </div>
              )
            }
          </Loaded>
        )}
      </div>
    </>
  );
}

function PackSection({ pack, mayWrite }: { pack: Pack; mayWrite: boolean }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const client = useQueryClient();
  const [disabling, setDisabling] = useState(false);
  const path = { organization_id: organization, environment_id: environment, alert_pack_id: pack.id };
  const again = async () => {
    // A page of one of its rules begins with the version that the pack made.
    client.removeQueries({ queryKey: [organization, environment, "alert-rule"] });
    await client.invalidateQueries({ queryKey: [organization, environment, "alert-packs"] });
    await client.invalidateQueries({ queryKey: [organization, environment, "alert-rules"] });
  };
  const enable = useMutation({
    mutationFn: () => body(control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-packs/{alert_pack_id}", { params: { path } })),
    onSuccess: again,
  });
  const disable = useMutation({
    mutationFn: () => body(control.DELETE("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-packs/{alert_pack_id}", { params: { path } })),
    onSuccess: async () => {
      setDisabling(false);
      await again();
    },
  });
  const isEnabled = pack.enabled_version !== undefined;
  const isBehind = isEnabled && pack.enabled_version !== pack.version;
  const changed = pack.rules.filter((each) => each.is_changed).length;
  return (
    <section className="section stack" aria-label={pack.title}>
      <div className="row between">
        <div className="stack tight grow">
          <h2 className="row">
            {pack.title} {isEnabled ? <span className="badge ok">enabled</span> : <span className="badge">not enabled</span>}
            {isBehind && <span className="badge warn">a newer version is there</span>}
          </h2>
          <p className="quiet">{pack.description}</p>
          {pack.enabled_at && <p className="quiet small">Version {pack.enabled_version}, since {formatTime(pack.enabled_at, zone, "minute")}.</p>}
        </div>
        {mayWrite && (
          <span className="row">
            {(!isEnabled || isBehind) && (
              <Button loading={enable.isPending} onClick={() => enable.mutate()} aria-label={`${isBehind ? "Bring to the newest version:" : "Enable"} ${pack.title}`}>
                {isBehind ? `Bring to version ${pack.version}` : `Enable ${plural(pack.rules.length, "rule")}`}
              </Button>
            )}
            {isEnabled && (
              <Button variant="default" aria-label={`Disable ${pack.title}`} onClick={() => setDisabling(true)}>
                Disable
              </Button>
            )}
          </span>
        )}
      </div>
      {enable.error && <Failure fault={enable.error} />}
      {isBehind && changed > 0 && <Note>{plural(changed, "rule")} that somebody changed {changed === 1 ? "stays as it is" : "stay as they are"}.</Note>}
      <details>
        <summary>{plural(pack.rules.length, "rule")}</summary>
        <table className="data as-list">
          <thead>
            <tr>
              <th>Rule</th>
              <th>Severity</th>
              <th>What it looks for</th>
              <th>Metric</th>
              <th>Runbook</th>
            </tr>
          </thead>
          <tbody>
            {pack.rules.map((rule) => (
              <tr key={rule.key}>
                <td data-label="Rule" className="break">
                  {rule.alert_rule_id ? (
                    <Link to={"/o/$org/e/$env/alerts/rules/$rule" as string} params={{ org: organization, env: environment, rule: rule.alert_rule_id } as never}>
                      {displayed(rule.name)}
                    </Link>
                  ) : (
                    displayed(rule.name)
                  )}{" "}
                  {rule.is_changed && <span className="badge">changed here</span>}
                </td>
                <td data-label="Severity">
                  <SeverityBadge severity={rule.severity} />
                </td>
                <td data-label="What it looks for" className="break">
                  {displayed(rule.summary, 300)}
                  <div className="small quiet">{KIND_NAMES[rule.kind]}</div>
                </td>
                <td data-label="Metric" className="mono break">
                  {displayed(rule.metric, 100)}
                </td>
                <td data-label="Runbook" className="break">
                  <span className="mono">docs/runbooks/{displayed(rule.runbook, 120)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      {disabling && (
        <Confirm title={`Disable ${pack.title}`} action="Disable pack" close={() => setDisabling(false)} run={() => disable.mutate()} pending={disable.isPending} fault={disable.error}>
          <p>
            Its {plural(pack.rules.length, "rule")} are deleted from this environment{changed > 0 ? `, ${changed} that somebody changed among them` : ""}, and their open incidents are resolved. Incidents of the past stay.
          </p>
        </Confirm>
      )}
    </section>
  );
}
