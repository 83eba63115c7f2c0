-- What lists select by beside status, name and labels: the image that a spec names, the node, the task that was
-- replayed, the reason and the exit code of the end, and when that was. Time of the submit: tasks_newest has it.
-- spec_image is the spec's image with the default tag written out, null where a spec has none; rows that are there
-- already get it in 000006. Each index ends in the order of the list, so that a page is read from it, however deep.
-- locks: tasks exclusively, while the indexes are built    breaking: no
ALTER TABLE tasks ADD COLUMN spec_image text;

CREATE INDEX tasks_by_image ON tasks (tenant, spec_image, submitted_at DESC, id DESC)
  WHERE spec_image IS NOT NULL;
CREATE INDEX tasks_by_node ON tasks (tenant, node, submitted_at DESC, id DESC) WHERE node IS NOT NULL;
CREATE INDEX tasks_by_source ON tasks (tenant, source, submitted_at DESC, id DESC) WHERE source <> 'submit';
CREATE INDEX tasks_by_reason ON tasks (tenant, reason, submitted_at DESC, id DESC) WHERE reason IS NOT NULL;
CREATE INDEX tasks_by_exit_code ON tasks (tenant, exit_code, submitted_at DESC, id DESC) WHERE exit_code <> 0;
CREATE INDEX tasks_by_end ON tasks (tenant, finished_at) WHERE finished_at IS NOT NULL;
