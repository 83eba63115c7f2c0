-- The copy of the ledger: every event's very bytes, to repair the ledger from and to rebuild read models from.
-- Written by the projector in the same statement as the read models and the checkpoint. Never dropped.
-- locks: none (new tables)    breaking: no

CREATE TABLE ledger_events (
  -- The tenant comes first: it is what row-level policies and erasure select by.
  tenant     text   NOT NULL,
  kind       text   NOT NULL,
  aggregate  text   NOT NULL,
  type       text   NOT NULL,
  shard      int    NOT NULL,
  -- Creation time of the ledger stream, as its server writes it.
  epoch      text   NOT NULL,
  seq        bigint NOT NULL,
  subject    text   NOT NULL,
  event_id   text   NOT NULL,
  -- Milliseconds since 1970, the writer's clock.
  at         bigint NOT NULL,
  raw        bytea  NOT NULL,
  CONSTRAINT ledger_events_pkey PRIMARY KEY (shard, epoch, seq),
  CONSTRAINT seq_is_positive CHECK (seq > 0),
  CONSTRAINT raw_is_not_empty CHECK (octet_length(raw) > 0)
);

-- The same fact is copied once, whatever its place in the stream.
CREATE UNIQUE INDEX ledger_events_event_once ON ledger_events (event_id);

-- INV-ONE-END: a task has exactly one terminal event, ever. This is the alarm, not the rule: the ledger's
-- compare-and-set keeps the rule. A second one goes to ledger_conflicts.
CREATE UNIQUE INDEX ledger_events_one_end ON ledger_events (tenant, kind, aggregate)
  WHERE type IN ('blocked', 'succeeded', 'failed', 'cancelled');

CREATE INDEX ledger_events_history ON ledger_events (tenant, kind, aggregate, epoch, seq);

CREATE TABLE ledger_conflicts (
  tenant     text   NOT NULL,
  kind       text   NOT NULL,
  aggregate  text   NOT NULL,
  type       text   NOT NULL,
  shard      int    NOT NULL,
  epoch      text   NOT NULL,
  seq        bigint NOT NULL,
  subject    text   NOT NULL,
  event_id   text   NOT NULL,
  at         bigint NOT NULL,
  raw        bytea  NOT NULL,
  -- Which rule of ledger_events it broke.
  violates   text   NOT NULL,
  CONSTRAINT ledger_conflicts_pkey PRIMARY KEY (shard, epoch, seq),
  CONSTRAINT violates_a_known_rule CHECK (violates IN ('event_once', 'one_end'))
);

-- How far the projector of a shard is. A batch is written only if this row is what the writer read before.
CREATE TABLE checkpoints (
  shard     int    PRIMARY KEY,
  epoch     text   NOT NULL,
  seq       bigint NOT NULL,
  -- The event at `seq`, to tell a ledger that was rolled back and overtaken from the one we know.
  event_id  text,
  CONSTRAINT event_id_from_the_first_event_on CHECK ((seq = 0) = (event_id IS NULL)),
  CONSTRAINT seq_is_not_negative CHECK (seq >= 0)
);

GRANT SELECT ON ledger_events, checkpoints TO cazi_app;
GRANT SELECT, INSERT ON ledger_events, ledger_conflicts TO cazi_projector;
GRANT SELECT, INSERT, UPDATE ON checkpoints TO cazi_projector;
