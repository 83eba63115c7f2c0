-- Read model: one row a task. A pure function of the task's last event, which carries its whole state, and of
-- the spec in its first one; `cazi projections rebuild` makes it again from ledger_events.
-- Times are milliseconds since 1970.
-- locks: none (new table)    breaking: no

CREATE TABLE tasks (
  tenant              text    NOT NULL,
  id                  text    NOT NULL,
  -- Canonical JSON (RFC 8785). Text, not jsonb: its digest is over these very bytes.
  spec                text    NOT NULL,
  spec_digest         text    NOT NULL,
  request_hash        text,
  source              text    NOT NULL,
  who                 jsonb   NOT NULL,
  name                text,
  labels              jsonb   NOT NULL,
  submitted_at        bigint  NOT NULL,
  status              text    NOT NULL,
  -- Sequence of the event that this row shows.
  seq                 bigint  NOT NULL,
  attempt             int     NOT NULL,
  retries_used        int     NOT NULL,
  -- Set while an attempt is on a node; stays after the end.
  fence               text,
  node                text,
  -- Null until the image is resolved, unless the task is a replay.
  image_ref           text,
  image_repo_digest   text,
  image_id            text,
  -- Set once somebody asked for it: {at, who, reason}.
  cancel              jsonb,
  not_before          bigint,
  started_at          bigint,
  finished_at         bigint,
  exit_code           int,
  signal              int,
  oom_killed          boolean NOT NULL,
  reason              text,
  message             text,
  -- Bytes of output; all four are null while nothing is known.
  stdout_stored       bigint,
  stdout_dropped      bigint,
  stderr_stored       bigint,
  stderr_dropped      bigint,
  CONSTRAINT tasks_pkey PRIMARY KEY (tenant, id),
  CONSTRAINT status_is_known CHECK (status IN
    ('pending', 'scheduled', 'claimed', 'running', 'succeeded', 'failed', 'cancelled', 'blocked')),
  CONSTRAINT finished_iff_ended CHECK
    ((finished_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'cancelled', 'blocked'))),
  CONSTRAINT placed_has_node_and_fence CHECK
    (status NOT IN ('scheduled', 'claimed', 'running') OR (node IS NOT NULL AND fence IS NOT NULL)),
  CONSTRAINT pending_has_no_node CHECK (status <> 'pending' OR (node IS NULL AND fence IS NULL)),
  CONSTRAINT attempts_cover_retries CHECK (attempt >= retries_used AND retries_used >= 0)
) WITH (fillfactor = 85);

-- Lists: newest first, by keyset.
CREATE INDEX tasks_newest ON tasks (tenant, submitted_at DESC, id DESC);
CREATE INDEX tasks_by_status ON tasks (tenant, status, submitted_at DESC, id DESC);
CREATE INDEX tasks_by_name ON tasks (tenant, name, submitted_at DESC, id DESC) WHERE name IS NOT NULL;
CREATE INDEX tasks_by_label ON tasks USING gin (labels jsonb_path_ops) WHERE labels <> '{}'::jsonb;

GRANT SELECT ON tasks TO cazi_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON tasks TO cazi_projector;
