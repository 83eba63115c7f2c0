/** What a client tells its model about this server; at most `instructionsCharsMax` characters. */
export const instructions = `Cazi runs declared tasks in disposable containers and keeps a complete record of them. You do not run commands yourself: you submit a spec, Cazi runs it once, and what happened stays on record.

The usual way:
1. submit_task with a spec (YAML, JSON or an object). It returns the task's id at once.
2. wait_for_task until done is true; call again while it is false.
3. get_task_output for standard output parsed by output_format; get_task_logs for every line, stderr included (tail for the end of a long log); list_task_events when it failed before its command ran.

For a computation rather than a command, run_script runs JavaScript in a sealed compartment and gives what it emits.

replay_task runs the exact same again; compare_tasks says whether it came out the same.

status is pending, scheduled, claimed or running before the end, and succeeded, failed, cancelled or blocked after it. reason says why a task ended: exit (a non-zero exit code), signal, oom, timeout, image_pull and so on; pending_reason says why one waits (a sentence, and each node with the rule that it does not meet). A task that fails is a result, not an error of the tool.

A failure of a tool has a stable code, a message and next_step: do what next_step says. SPEC_INVALID lists each thing wrong with a JSON pointer into the spec. After ACK_UNKNOWN call again with the idempotency_key that is given.

command is an argv, never a shell string; for a shell write ["sh", "-c", "..."]. Nothing is kept between tasks. Put no secrets into a spec: it stays in the record. Write into rationale why the task exists: people read it.`;
