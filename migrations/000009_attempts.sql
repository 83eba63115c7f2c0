-- A task's attempts. The last one is in the task's own row while it is on a node and when it ended the task; one that
-- was taken back or is followed by another is a row here, written when it is over and never changed. So a task
-- of one attempt costs no row.
-- Rows of tasks come to their times from the copy; attempts that were over before this file get theirs with the next
-- `cazi projections rebuild`, for their facts are in Avro.
-- Times are milliseconds since 1970.
-- locks: tasks exclusively, while its rows are filled    breaking: no
ALTER TABLE tasks
  -- When its last attempt was given to a node, and granted.
  ADD COLUMN scheduled_at bigint,
  ADD COLUMN claimed_at bigint;

UPDATE tasks SET scheduled_at = times.scheduled_at, claimed_at = times.claimed_at
FROM (
  SELECT tenant, aggregate,
    (array_agg(at ORDER BY seq DESC) FILTER (WHERE type = 'scheduled'))[1] AS scheduled_at,
    CASE WHEN max(seq) FILTER (WHERE type = 'claimed') > max(seq) FILTER (WHERE type = 'scheduled')
      THEN (array_agg(at ORDER BY seq DESC) FILTER (WHERE type = 'claimed'))[1] END AS claimed_at
  FROM ledger_events WHERE kind = 'task' AND type IN ('scheduled', 'claimed')
  GROUP BY tenant, aggregate
) AS times
WHERE tasks.tenant = times.tenant AND tasks.id = times.aggregate;

CREATE TABLE attempts (
  tenant             text    NOT NULL,
  task               text    NOT NULL,
  attempt            int     NOT NULL,
  fence              text    NOT NULL,
  node               text,
  -- The event that ended it: returned (nothing was granted) or retrying.
  ended_by           text    NOT NULL,
  reason             text    NOT NULL,
  message            text,
  -- Whether it counts against max_retries.
  uses_retry         boolean NOT NULL,
  -- The attempt after it was not to start before this; null after a return.
  not_before         bigint,
  scheduled_at       bigint,
  claimed_at         bigint,
  started_at         bigint,
  finished_at        bigint  NOT NULL,
  exit_code          int,
  signal             int,
  oom_killed         boolean NOT NULL,
  -- What it ran; null where nothing ran.
  image_ref          text,
  image_repo_digest  text,
  image_id           text,
  -- Bytes of output; all four are null while nothing is known.
  stdout_stored      bigint,
  stdout_dropped     bigint,
  stderr_stored      bigint,
  stderr_dropped     bigint,
  -- News of its pull, as the task's events have it; null where nothing was pulled.
  pull               jsonb,
  CONSTRAINT attempts_pkey PRIMARY KEY (tenant, task, attempt),
  CONSTRAINT ended_by_is_known CHECK (ended_by IN ('returned', 'retrying')),
  CONSTRAINT attempt_is_positive CHECK (attempt > 0),
  CONSTRAINT returned_ran_nothing CHECK (ended_by <> 'returned' OR (started_at IS NULL AND NOT uses_retry))
);

GRANT SELECT ON attempts TO cazi_app;
GRANT SELECT, INSERT, DELETE ON attempts TO cazi_projector;
