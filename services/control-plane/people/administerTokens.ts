import { randomBytes } from "node:crypto";
import type { CreatedToken, CreateToken, Token } from "../../../schemas/api/people.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { tokenHash } from "../http/authenticate.ts";
import { type Role, roles } from "../ports.ts";
import { fromCursor } from "../reads/keyset.ts";
import { keyReused, pageOf, requestHash } from "./administerTenants.ts";
import { requireTenant, userNotFound } from "./administerUsers.ts";
import type { CreatingBy, Made, PageAsked, People } from "./people.ts";
import { findRow, inPeople, insertOnce, type TokenRow, tokenRecordOf, updateRow } from "./peopleStore.ts";
import type { TokenRecord } from "./records.ts";
import type { PeopleParts } from "./startPeople.ts";

type Tokens = Pick<People, "listTokens" | "getToken" | "createToken" | "revokeToken">;

const listSql = `SELECT * FROM tokens
  WHERE ($1::bigint IS NULL OR (created_at, id) < ($1, $2)) ORDER BY created_at DESC, id DESC LIMIT $3`;
const TOKEN_BYTES = 32;

/** What a tenant's admins do with its tokens. */
export function administerTokens(parts: PeopleParts): Tokens {
  const { pool, clock, publish } = parts;
  const find = (tenant: string, id: string) =>
    inPeople(pool, tenant, (client) => findRow(client, "tokens", { tenant, id }));

  return {
    listTokens: async (tenant: string, { limit, cursor }: PageAsked) => {
      const after = cursor === undefined ? [null, null] : fromCursor(cursor, ["number", "string"]);
      const rows = await inPeople(pool, tenant, async (client) => {
        await requireTenant(client, tenant);
        return (await client.query<TokenRow>(listSql, [...after, limit + 1])).rows;
      });
      return pageOf(rows, limit, show, (row) => [row.created_at, row.id]);
    },
    getToken: async (tenant, id) => {
      const row = await find(tenant, id);
      if (row === null) throw tokenNotFound();
      return show(row);
    },
    createToken: async (tenant, wanted: CreateToken, by: CreatingBy): Promise<Made<CreatedToken>> => {
      const token = `cazi_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
      const request_hash = requestHash(wanted);
      const made = await inPeople(pool, tenant, async (client) => {
        await requireTenant(client, tenant);
        const user = await findRow(client, "users", { tenant, name: wanted.acts_for });
        if (user === null || user.removed_at !== null) throw userNotFound();
        const { name, kind, acts_for, acts_as } = wanted;
        const { role, expires_at } = allowed(wanted, { role: user.role, nowMs: clock.now() });
        return insertOnce(client, "tokens", {
          ...{
            tenant,
            id: by.creation,
            hash: tokenHash(token),
            name,
            kind,
            acts_for,
            acts_as,
            role,
            expires_at,
          },
          ...{ created_at: clock.now(), created_by: by.actor, creation: by.creation, request_hash },
        });
      });
      if (made === null || made.row.request_hash !== request_hash) throw keyReused();
      await publish(tokenRecordOf(made.row));
      return { value: { ...show(made.row), token: made.repeated ? null : token }, repeated: made.repeated };
    },
    revokeToken: (tenant, id, by) => revoke(parts, { tenant, id, by }),
  };
}

/**
 * The bucket first: it is what everybody verifies with. Then Postgres; where it is away, the next comparison of the two
 * brings it there.
 */
async function revoke(
  { pool, clock, directory, bucket, firstToken, log }: PeopleParts,
  of: { readonly tenant: string; readonly id: string; readonly by: string },
): Promise<Token> {
  const { tenant, id, by } = of;
  const known = directory.token(tenant, id) ?? firstRecord(firstToken, { tenant, id });
  const at = clock.now();
  const record =
    known === null
      ? null
      : { ...known, revoked_at: known.revoked_at ?? at, revoked_by: known.revoked_by ?? by };
  const told = record === null ? false : await bucket.put(record).then(() => true, noted(log));
  try {
    const row = await inPeople(pool, tenant, async (client) => {
      if (record?.kind === "first") await insertOnce(client, "tokens", firstRow(record, at));
      const there = await findRow(client, "tokens", { tenant, id });
      if (there === null || there.revoked_at !== null) return there;
      const set = { revoked_at: at, revoked_by: by };
      return updateRow(client, "tokens", { where: { tenant, id }, set });
    });
    if (row === null) throw tokenNotFound();
    // Also heard here where NATS is away, and in the bucket with the new version where it is not.
    directory.hear(tokenRecordOf(row));
    await bucket.put(tokenRecordOf(row)).catch(noted(log));
    return show(row);
  } catch (error) {
    if (!told || record === null || !(error instanceof Retryable)) throw error;
    log.warn({ error, token: id }, "a token was revoked, and Postgres hears of it later");
    return shownFromRecord(record);
  }
}

const noted = (log: PeopleParts["log"]) => (error: unknown) => {
  log.warn({ error }, "the bucket `tokens` was not written; Postgres is, and it follows");
  return false;
};

/** The token of this process's CAZI_HOME has no row until it is revoked. */
function firstRecord(
  first: PeopleParts["firstToken"],
  asked: { readonly tenant: string; readonly id: string },
): TokenRecord | null {
  if (first.id !== asked.id || first.principal.tenant !== asked.tenant) return null;
  const ends = { expires_at: null, revoked_at: null, revoked_by: null };
  return {
    ...{ record: "token", tenant: asked.tenant, id: first.id, hash: first.hash, name: "token of CAZI_HOME" },
    ...{ kind: "first", acts_for: "admin", acts_as: null, role: "admin", ...ends, version: 0 },
  };
}

function firstRow(record: TokenRecord, at: number): Readonly<Record<string, unknown>> {
  const { tenant, id, name, kind, acts_for, acts_as, role, expires_at, revoked_at, revoked_by } = record;
  return {
    ...{ tenant, id, hash: Buffer.from(record.hash, "hex"), name, kind, acts_for, acts_as, role, expires_at },
    ...{ revoked_at, revoked_by, created_at: at, created_by: "service:control-plane" },
    ...{ creation: `first:${id}`, request_hash: "" },
  };
}

/** @throws Rejection `TOKEN_INVALID` */
function allowed(
  { kind, acts_as, role, expires_at }: CreateToken,
  user: { readonly role: Role; readonly nowMs: number },
): { readonly role: Role; readonly expires_at: number | null } {
  const ends = expires_at === null ? null : Date.parse(expires_at);
  if ((kind === "person") !== (acts_as === null)) {
    const message = kind === "person" ? "is for an agent or an automation alone" : `must name the ${kind}`;
    throw tokenInvalid("/acts_as", message);
  }
  if (role !== undefined && roles.indexOf(role) > roles.indexOf(user.role)) {
    throw tokenInvalid("/role", `is more than the user's own, ${user.role}`);
  }
  if (ends !== null && ends <= user.nowMs) throw tokenInvalid("/expires_at", "has passed");
  return { role: role ?? user.role, expires_at: ends };
}

function tokenInvalid(pointer: string, message: string): Rejection {
  return new Rejection("TOKEN_INVALID", `No token was made: ${pointer.slice(1)} ${message}.`, {
    details: [{ pointer, message }],
  });
}

function show(row: TokenRow): Token {
  const { id, tenant, name, kind, acts_for, acts_as, role, created_by, revoked_by } = row;
  return {
    ...{ id, tenant, name, kind, acts_for, acts_as, role, created_by, revoked_by },
    created_at: toTimestamp(row.created_at),
    expires_at: toTimestampOrNull(row.expires_at),
    revoked_at: toTimestampOrNull(row.revoked_at),
    last_used_at: toTimestampOrNull(row.last_used_at),
  };
}

/** While Postgres is away: what the bucket knows. */
function shownFromRecord(record: TokenRecord): Token {
  const unknown = { created_at: 0, created_by: "", last_used_at: null, creation: "", request_hash: "" };
  return show({ ...record, ...unknown, hash: Buffer.from(record.hash, "hex") });
}

export function tokenNotFound(): Rejection {
  return new Rejection("TOKEN_NOT_FOUND", "There is no such token in the tenant.");
}
