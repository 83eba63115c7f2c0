import type { GrantSecrets } from "../../../schemas/messages/node.ts";
import type { ConnectionStore } from "../../kernel/connections/connectionStore.ts";

/** The canonical JSON of a spec with connections holds this and that of another does not: text in it has its quotes escaped. */
const NAMES_SOME = '"connections":["';

/** Names of the connections that a recorded spec uses; nearly none has any, and then its text is not parsed. */
export function connectionsIn(spec: string): readonly string[] {
  if (!spec.includes(NAMES_SOME)) return [];
  return (JSON.parse(spec) as { connections?: string[] }).connections ?? [];
}

/**
 * What the grant of a task hands over of its connections; null where it has none. Of a variable that two set, and of two
 * credentials for one registry, the one of the connection that is named later is used.
 * @returns the name of a connection that is not there any more
 * @throws Retryable `CONNECTIONS_UNAVAILABLE`; Rejection `MASTER_KEY_WRONG`
 */
export async function grantSecrets(
  connections: Pick<ConnectionStore, "open">,
  tenant: string,
  names: readonly string[],
): Promise<GrantSecrets | null | { readonly missing: string }> {
  if (names.length === 0) return null;
  const { values, missing } = await connections.open(tenant, names);
  if (missing[0] !== undefined) return { missing: missing[0] };
  const secrets: GrantSecrets = { environment: {}, files: {}, registries: {} };
  for (const { name, environment, files, registry } of values) {
    Object.assign(secrets.environment, environment);
    for (const [path, content] of Object.entries(files)) secrets.files[`${name}/${path}`] = content;
    if (registry === null) continue;
    const { host, username, password } = registry;
    secrets.registries[host] = { username, password };
  }
  return secrets;
}
