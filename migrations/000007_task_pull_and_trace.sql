-- What a task shows while its image is pulled, and the trace that it belongs to. Both stay null for tasks that ended
-- before; one that lives gets them with its next event.
-- locks: tasks exclusively, for a moment    breaking: no
ALTER TABLE tasks
  -- News of the last attempt's pull, as the task's events have it; null where nothing was pulled.
  ADD COLUMN pull jsonb,
  -- W3C trace context of the submit.
  ADD COLUMN traceparent text;
