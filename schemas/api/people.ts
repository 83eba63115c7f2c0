/** Tenants, their users, and the tokens that speak for them. */
import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { moment, timestamp } from "./timestamp.ts";

/** A name that may stand in a subject. */
const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
  error: "must be 1 to 63 of a-z, 0-9, '-' and '_', beginning with a letter or digit",
});
const text = z.string().min(1).max(200);
const tenantName = name.describe("Name of a tenant.");
const userName = name.describe("Name of a user, in its tenant.");
export const role = z
  .enum(["viewer", "operator", "admin"])
  .describe("viewer reads; operator also submits, cancels and replays; admin also administers the tenant.");

const limit = (max: number, about: string) =>
  z
    .number()
    .int()
    .min(0)
    .max(max)
    .nullable()
    .describe(`${about} 0: no limit; null: the installation's default.`);
export const tenantLimits = z.object({
  pending_max: limit(1e9, "Tasks that may wait for a node at once."),
  submits_per_minute: limit(1e6, "Tasks that may be submitted in a minute."),
  follows_max: limit(1e6, "Streams of logs and events open at once; each server of the API takes its part."),
  stored_bytes_max: limit(
    1e15,
    "Bytes of output, of every attempt, and of artifacts that are kept of all its tasks.",
  ),
});
export type TenantLimits = z.output<typeof tenantLimits>;

const ofCreation = {
  created_at: timestamp,
  created_by: z.string().describe('Who made it, such as "user:admin".'),
};
const removedAt = timestamp.nullable().describe("Null while it is in use.");

export const tenant = z.object({
  name: z.string(),
  display_name: z.string().nullable(),
  limits: tenantLimits.describe("As they were set for this tenant."),
  limits_in_force: z
    .record(z.string(), z.number())
    .describe("The same with the installation's defaults filled in; 0: no limit."),
  ...ofCreation,
  removed_at: removedAt,
});
export type Tenant = z.output<typeof tenant>;
export const tenantPage = page(tenant);
export const createTenant = z.strictObject({
  name: tenantName,
  display_name: text.nullable().default(null),
  limits: z.strictObject(tenantLimits.shape).partial().default({}),
});
export type CreateTenant = z.output<typeof createTenant>;
/** Removing is a request of its own. */
const takenBack = z
  .literal(false)
  .optional()
  .describe("Takes back that it was removed: its tokens that are not revoked are good again.");
export const changeTenant = z.strictObject({
  removed: takenBack,
  display_name: text.nullable().optional(),
  limits: z.strictObject(tenantLimits.shape).partial().default({}),
});
export type ChangeTenant = z.output<typeof changeTenant>;
export const tenantParams = z.object({ name: tenantName });

/** For admins of the installation; others name their own tenant or none. */
const inTenant = {
  tenant: tenantName.optional().describe("Another tenant; for admins of the installation."),
};
export const tenantQuery = z.strictObject(inTenant);
export const peopleQuery = z.strictObject({ ...inTenant, ...pageParameters });
export const listTenantsQuery = z.strictObject(pageParameters);

export const user = z.object({
  name: z.string(),
  tenant: z.string(),
  display_name: z.string().nullable(),
  role,
  login: z.string().nullable().describe("What the sign-in's claim says of this person; null: tokens alone."),
  ...ofCreation,
  removed_at: removedAt,
});
export type User = z.output<typeof user>;
export const userPage = page(user);
const login = text.nullable().describe("What the claim of CAZI_OIDC_USER_CLAIM says of this person.");
export const createUser = z.strictObject({
  name: userName,
  role: role.default("viewer"),
  display_name: text.nullable().default(null),
  login: login.default(null),
});
export type CreateUser = z.output<typeof createUser>;
export const changeUser = z.strictObject({
  removed: takenBack,
  role: role.optional(),
  display_name: text.nullable().optional(),
  login: login.optional(),
});
export type ChangeUser = z.output<typeof changeUser>;
export const userParams = z.object({ name: userName });

export const tokenKind = z
  .enum(["person", "agent", "automation"])
  .describe("person: the user's own. agent, automation: somebody else, for whom the user answers.");
export const token = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  kind: z.enum([...tokenKind.options, "first"]),
  acts_for: z.string().describe("The user who answers for what is done with it."),
  acts_as: z.string().nullable().describe("Name of the agent or automation."),
  role: role.describe("Never more than the user's own at the moment of use."),
  ...ofCreation,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  revoked_by: z.string().nullable(),
  last_used_at: timestamp.nullable().describe("Within a minute or so; null when never."),
});
export type Token = z.output<typeof token>;
export const tokenPage = page(token);
export const createToken = z.strictObject({
  name: text.describe("What it is for, for whoever reads the list."),
  acts_for: userName,
  kind: tokenKind.default("person"),
  acts_as: name
    .nullable()
    .default(null)
    .describe("Name of the agent or automation; null for a person's own."),
  role: role.optional().describe("The user's own unless given; never more."),
  expires_at: moment.nullable().default(null),
});
export type CreateToken = z.output<typeof createToken>;
export const createdToken = token.extend({
  token: z
    .string()
    .nullable()
    .describe("The token itself, this once. Null when an earlier request with this key made it."),
});
export type CreatedToken = z.output<typeof createdToken>;
export const tokenParams = z.object({
  id: z
    .string()
    .regex(/^[0-9a-z]{1,26}$/, { error: "must be a token's id" })
    .describe("A token's id."),
});

export const me = z.object({
  tenant: z.string(),
  actor: z.string(),
  accountable: z.string().nullable(),
  role,
  installation_admin: z
    .boolean()
    .describe("May administer tenants: an admin of the installation's own tenant."),
  token: z
    .object({ id: z.string(), name: z.string(), expires_at: timestamp.nullable() })
    .nullable()
    .describe("Null for the first token and for a sign-in."),
});
export type Me = z.output<typeof me>;
