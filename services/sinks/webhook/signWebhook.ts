import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** True for a signing secret in the form of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isSigningSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const base64 = text.slice(PREFIX.length);
  const { length } = Buffer.from(base64, "base64");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) && length >= 24 && length <= 64;
}

/**
 * The headers of Standard Webhooks for one try. Id and body are the same in every try; the time is the try's, and
 * receivers refuse what is old. Several secrets, while one takes the place of another, give several signatures.
 * @param of.at milliseconds since 1970
 */
export function webhookHeaders(of: {
  readonly id: string;
  readonly at: number;
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
}): Record<string, string> {
  const timestamp = String(Math.floor(of.at / 1000));
  const base = { "webhook-id": of.id, "webhook-timestamp": timestamp };
  if (of.secrets.length === 0) return base;
  const signatures = of.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    const mac = createHmac("sha256", key).update(`${of.id}.${timestamp}.`).update(of.body);
    return `v1,${mac.digest("base64")}`;
  });
  return { ...base, "webhook-signature": signatures.join(" ") };
}
