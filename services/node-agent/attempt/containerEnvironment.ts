import type { AttemptRef, GrantReply } from "../../../schemas/messages/node.ts";
import type { ExecutionSpec } from "../executionSpec.ts";

type Yes = Extract<GrantReply, { answer: "yes" }>;

/** Where the files of a task's connections are in its container. */
export const SECRETS_FOLDER = "/run/secrets/cazi";

/**
 * The spec with what Cazi tells a container of itself, and the variables of its connections. A variable that the spec
 * sets itself wins over a connection's; names beginning with CAZI_ are Cazi's alone. Pure.
 */
export function withCaziEnvironment(
  spec: ExecutionSpec,
  ref: AttemptRef,
  yes: Pick<Yes, "workload_token" | "secrets">,
): ExecutionSpec {
  const { workload_token, secrets } = yes;
  const hasFiles = Object.keys(secrets?.files ?? {}).length > 0;
  return {
    ...spec,
    environment: {
      ...secrets?.environment,
      ...spec.environment,
      CAZI_TASK_ID: ref.task,
      CAZI_ATTEMPT: String(ref.attempt),
      ...(workload_token === null ? {} : { CAZI_WORKLOAD_TOKEN: workload_token }),
      ...(hasFiles ? { CAZI_SECRETS: SECRETS_FOLDER } : {}),
    },
  };
}
