import type { ConnectionStore } from "../kernel/connections/connectionStore.ts";
import type { SecretSet } from "../kernel/redaction/secretMasker.ts";
import { isSigningSecret } from "./webhook/signWebhook.ts";

/** What sinks need of connections. Nothing of it is ever stored, logged or told. */
export interface SinkSecrets {
  /** Signing secrets (`whsec_…`), the newest first. @throws SecretsMissing */
  signing(tenant: string, connection: string): Promise<readonly string[]>;
  /** @throws SecretsMissing */
  s3(tenant: string, connection: string): Promise<S3Keys>;
  /** What must not be seen of the output of a task that used these connections. */
  masked(tenant: string, connections: readonly string[]): Promise<SecretSet>;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** The connection is not there, or does not hold what the sink needs. */
export class SecretsMissing extends Error {
  override readonly name = "SecretsMissing";
}

/**
 * Of the stored connections, by the names of their variables: every `whsec_…` signs, the first by name first; keys of S3
 * have the names that its other tools know them by.
 */
export function secretsOf(connections: Pick<ConnectionStore, "open" | "secrets">): SinkSecrets {
  async function variables(tenant: string, name: string): Promise<Readonly<Record<string, string>>> {
    const { values } = await connections.open(tenant, [name]);
    if (values[0] === undefined) throw new SecretsMissing(`there is no connection ${name}`);
    return values[0].environment;
  }
  return {
    signing: async (tenant, name) => {
      const all = await variables(tenant, name);
      const secrets = Object.keys(all)
        .sort()
        .map((one) => all[one]!)
        .filter(isSigningSecret);
      if (secrets.length > 0) return secrets;
      throw new SecretsMissing(
        `connection ${name} holds no signing secret (whsec_ and 24 to 64 bytes in base64)`,
      );
    },
    s3: async (tenant, name) => {
      const all = await variables(tenant, name);
      const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = all;
      if (accessKeyId === undefined || secretAccessKey === undefined)
        throw new SecretsMissing(`connection ${name} holds no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`);
      return { accessKeyId, secretAccessKey, sessionToken: all.AWS_SESSION_TOKEN ?? null };
    },
    masked: (tenant, names) => connections.secrets(tenant, names),
  };
}
