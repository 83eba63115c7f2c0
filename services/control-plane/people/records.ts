/** Who is who, as it is copied into the KV bucket `tokens`. Times are milliseconds since 1970. */
import { z } from "zod";
import { token } from "../../../streams/subjects.ts";
import { roles } from "../ports.ts";

/** Of two states of one record the newer has the higher version; what is revoked stays revoked. */
const versioned = { version: z.number().int() };
const limit = z.number().int().nonnegative().nullable();

/** Limits of a tenant; null for the installation's default, 0 for none. */
export const tenantLimitFields = {
  pending_max: limit,
  submits_per_minute: limit,
  follows_max: limit,
  stored_bytes_max: limit,
};
const tenantRecord = z.object({
  record: z.literal("tenant"),
  tenant: z.string(),
  ...tenantLimitFields,
  removed_at: z.number().nullable(),
  ...versioned,
});

const userRecord = z.object({
  record: z.literal("user"),
  tenant: z.string(),
  name: z.string(),
  role: z.enum(roles),
  login: z.string().nullable(),
  removed_at: z.number().nullable(),
  ...versioned,
});

const tokenRecord = z.object({
  record: z.literal("token"),
  tenant: z.string(),
  id: z.string(),
  /** SHA-256 of the token, hex. */
  hash: z.string(),
  name: z.string(),
  kind: z.enum(["person", "agent", "automation", "first"]),
  acts_for: z.string(),
  acts_as: z.string().nullable(),
  role: z.enum(roles),
  expires_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  revoked_by: z.string().nullable(),
  ...versioned,
});

export const personRecord = z.discriminatedUnion("record", [tenantRecord, userRecord, tokenRecord]);
export type PersonRecord = z.output<typeof personRecord>;
export type TenantRecord = z.output<typeof tenantRecord>;
export type UserRecord = z.output<typeof userRecord>;
export type TokenRecord = z.output<typeof tokenRecord>;

/** Its key in the bucket. @throws Rejection `NAME_INVALID` */
export function keyOf(one: PersonRecord): string {
  switch (one.record) {
    case "tenant":
      return `tenant.${token(one.tenant)}`;
    case "user":
      return `user.${token(one.tenant)}.${token(one.name)}`;
    case "token":
      return tokenKey(one.hash);
  }
}

export function tokenKey(hash: string): string {
  return `token.${hash}`;
}

/**
 * What is known of a record after hearing of it again, from the bucket or from Postgres, in whatever order. A token
 * that either says is revoked is revoked: while Postgres is away the bucket alone knows.
 */
export function merged<T extends PersonRecord>(known: T | undefined, heard: T): T {
  if (known === undefined) return heard;
  const newer = heard.version >= known.version ? heard : known;
  if (newer.record !== "token" || newer.revoked_at !== null) return newer;
  const other = (newer === heard ? known : heard) as TokenRecord & T;
  if (other.revoked_at === null) return newer;
  return { ...newer, revoked_at: other.revoked_at, revoked_by: other.revoked_by };
}
