-- Dashboards of an organisation and every version of each that is kept, the newest one too.
CREATE TABLE dashboard (
  organization_id text NOT NULL REFERENCES organization (id),
  id              text NOT NULL,
  -- Title and panels, as the control API takes them.
  definition      jsonb NOT NULL,
  version         bigint NOT NULL,
  created_by_kind text NOT NULL,
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_by_kind text NOT NULL,
  updated_by      text NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CALL keep_rows_to_their_organization('dashboard');
GRANT SELECT, INSERT, DELETE, UPDATE (definition, version, updated_by_kind, updated_by, updated_at)
  ON dashboard TO tidemark_application;

CREATE TABLE dashboard_version (
  organization_id text NOT NULL,
  dashboard_id    text NOT NULL,
  version         bigint NOT NULL,
  definition      jsonb NOT NULL,
  changed_by_kind text NOT NULL,
  changed_by      text NOT NULL,
  changed_at      timestamptz NOT NULL,
  -- The version whose definition was taken again.
  restored_from   bigint,
  PRIMARY KEY (organization_id, dashboard_id, version),
  FOREIGN KEY (organization_id, dashboard_id) REFERENCES dashboard (organization_id, id) ON DELETE CASCADE
);
CALL keep_rows_to_their_organization('dashboard_version');
GRANT SELECT, INSERT, DELETE ON dashboard_version TO tidemark_application;
