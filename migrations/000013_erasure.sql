-- Erasure: the projector deletes what the copy of the ledger holds of an erased task, all but its tombstone, and what
-- repairs put aside of it. How many events went is counted, so that a ledger that has as many less is known to be whole.
-- locks: ledger_survivors and ledger_conflicts against writing, while the indexes are built    breaking: no
CREATE TABLE erased_copies (
  shard   int    PRIMARY KEY,
  -- Events that the copy held, or would have, and that erasure took.
  events  bigint NOT NULL,
  CONSTRAINT events_only_grow CHECK (events >= 0)
);

CREATE INDEX ledger_survivors_by_subject ON ledger_survivors (subject);
CREATE INDEX ledger_conflicts_by_subject ON ledger_conflicts (subject);

GRANT SELECT, INSERT, UPDATE ON erased_copies TO cazi_projector;
GRANT DELETE ON ledger_events, ledger_conflicts, ledger_survivors TO cazi_projector;
