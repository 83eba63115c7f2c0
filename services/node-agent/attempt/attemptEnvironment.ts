import type { AttemptRef } from "../../../schemas/messages/node.ts";
import type { ExecutionSpec } from "../executionSpec.ts";

/**
 * The spec with which attempt it is in the container's environment: `CAZI_TASK` and `CAZI_ATTEMPT`, 1 for the
 * first. They win over what a spec sets, so that a command can rely on them. Pure.
 */
export function withAttemptEnvironment(spec: ExecutionSpec, { task, attempt }: AttemptRef): ExecutionSpec {
  return {
    ...spec,
    environment: { ...spec.environment, CAZI_TASK: task, CAZI_ATTEMPT: String(attempt) },
  };
}
