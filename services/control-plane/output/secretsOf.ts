import type { Task } from "../../../schemas/api/task.ts";
import { noSecrets, type SecretSet } from "../../kernel/redaction/secretMasker.ts";
import type { ApiPorts } from "../ports.ts";

/**
 * What to mask in the output of a task. Asked after the output was opened for reading: a value reaches a container before
 * anything that the container prints reaches LOGS, so what was stored by then is covered.
 * @throws Retryable `CONNECTIONS_UNAVAILABLE`: output is not shown unmasked
 */
export async function secretsOf(
  { connections }: { readonly connections: Pick<ApiPorts["connections"], "secrets"> },
  task: Pick<Task, "tenant" | "spec">,
): Promise<SecretSet> {
  // Specs of earlier versions have no such field.
  const names = task.spec.connections ?? [];
  return names.length === 0 ? noSecrets : connections.secrets(task.tenant, names);
}
