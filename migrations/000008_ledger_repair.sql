-- Verifying the ledger against its copy, and repairs from the copy. The copy itself (ledger_events) keeps its place;
-- these tables say what was found, what is under way, and what a repair could not put back.
-- Times are milliseconds since 1970.
-- locks: none (new tables)    breaking: no

-- The newest comparison of a shard's ledger with its copy.
CREATE TABLE ledger_checks (
  shard       int    PRIMARY KEY,
  epoch       text   NOT NULL,
  checked_at  bigint NOT NULL,
  -- Copies compared; `whole` when these were all of them.
  events      bigint NOT NULL,
  whole       boolean NOT NULL,
  missing     bigint NOT NULL,
  altered     bigint NOT NULL,
  -- Sequences at which the ledger has another event than the copy.
  replaced    bigint NOT NULL,
  -- In the ledger and not in the copy, though the copy is past them.
  uncopied    bigint NOT NULL,
  -- The first differences, for a person.
  first       jsonb  NOT NULL
);

-- One row a repair. While one is not finished, no gate of a writer opens.
CREATE TABLE ledger_repairs (
  id           text   PRIMARY KEY,
  shard        int    NOT NULL,
  -- append: in place, from the end on. rebuild: the stream is made anew from its beginning.
  plan         text   NOT NULL,
  phase        text   NOT NULL,
  from_epoch   text   NOT NULL,
  to_epoch     text,
  -- Epochs of streams that this repair began to fill and gave up when it was killed.
  tried        text[] NOT NULL DEFAULT '{}',
  started_at   bigint NOT NULL,
  finished_at  bigint,
  CONSTRAINT plan_is_known CHECK (plan IN ('append', 'rebuild')),
  CONSTRAINT phase_is_known CHECK (phase IN ('saving', 'filling', 'linking', 'done')),
  CONSTRAINT done_iff_finished CHECK ((phase = 'done') = (finished_at IS NOT NULL))
);
CREATE UNIQUE INDEX ledger_repairs_one_at_a_time ON ledger_repairs (shard) WHERE finished_at IS NULL;

-- What the ledger held beside or beyond the copy when a repair made it anew, saved before that.
CREATE TABLE ledger_survivors (
  repair    text   NOT NULL REFERENCES ledger_repairs (id),
  -- Where it stood.
  seq       bigint NOT NULL,
  subject   text   NOT NULL,
  event_id  text,
  raw       bytea  NOT NULL,
  -- keep: at its own sequence. append: after the copy's end. conflict: its subject has moved on in the copy, and a
  -- person has to look. duplicate: the copy has the same event elsewhere. unreadable: no event at all.
  fate      text   NOT NULL,
  CONSTRAINT ledger_survivors_pkey PRIMARY KEY (repair, seq),
  CONSTRAINT fate_is_known CHECK (fate IN ('keep', 'append', 'conflict', 'duplicate', 'unreadable'))
);

GRANT SELECT ON ledger_repairs TO cazi_app, cazi_projector;
GRANT SELECT ON ledger_survivors TO cazi_projector;
GRANT SELECT, INSERT, UPDATE ON ledger_checks TO cazi_projector;
