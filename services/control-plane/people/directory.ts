import { isName } from "../../../streams/subjects.ts";
import type { Principal, Role } from "../ports.ts";
import { roles } from "../ports.ts";
import {
  keyOf,
  merged,
  type PersonRecord,
  type TenantRecord,
  type TokenRecord,
  tokenKey,
  type UserRecord,
} from "./records.ts";

/**
 * Who is who, in memory: what every request is answered from. Fed with records in any order, each any number of
 * times. A token speaks for somebody only while its tenant, its user and itself are all there and none of them has
 * ended.
 */
export class PeopleDirectory {
  readonly #records = new Map<string, PersonRecord>();
  /** Keys of tokens, by tenant and id. */
  readonly #tokenById = new Map<string, string>();
  readonly #byLogin = new Map<string, string>();
  readonly #home: string;

  /** @param home the tenant whose admins administer the installation */
  constructor(home: string) {
    this.#home = home;
  }

  /** @returns what is known now */
  hear(heard: PersonRecord): PersonRecord {
    const key = keyOf(heard);
    const known = this.#records.get(key);
    const now = merged(known, heard);
    this.#records.set(key, now);
    if (now.record === "token") this.#tokenById.set(`${now.tenant}/${now.id}`, key);
    if (known?.record === "user" && known.login !== null)
      this.#byLogin.delete(`${known.tenant}/${known.login}`);
    if (now.record === "user" && now.login !== null && now.removed_at === null) {
      this.#byLogin.set(`${now.tenant}/${now.login}`, key);
    }
    return now;
  }

  /** Postgres does not know it: it never was, or belongs to another installation. */
  forget(key: string): void {
    const known = this.#records.get(key);
    if (known?.record === "token") this.#tokenById.delete(`${known.tenant}/${known.id}`);
    if (known?.record === "user" && known.login !== null)
      this.#byLogin.delete(`${known.tenant}/${known.login}`);
    this.#records.delete(key);
  }

  all(): ReadonlyMap<string, PersonRecord> {
    return this.#records;
  }

  tenant(name: string): TenantRecord | undefined {
    return this.#records.get(`tenant.${name}`) as TenantRecord | undefined;
  }

  token(tenant: string, id: string): TokenRecord | undefined {
    return this.#records.get(this.#tokenById.get(`${tenant}/${id}`) ?? "") as TokenRecord | undefined;
  }

  byHash(hash: string): TokenRecord | undefined {
    return this.#records.get(tokenKey(hash)) as TokenRecord | undefined;
  }

  /** Whom a token speaks for now; null for nobody. */
  speaksFor(one: TokenRecord, nowMs: number): Principal | null {
    if (one.kind === "first" || one.revoked_at !== null) return null;
    if (one.expires_at !== null && one.expires_at <= nowMs) return null;
    const user = this.#records.get(`user.${one.tenant}.${one.acts_for}`) as UserRecord | undefined;
    const person = this.#person(user);
    if (person === null) return null;
    const role = lower(one.role, person.role);
    const token = { id: one.id, name: one.name, expiresAt: one.expires_at };
    if (one.acts_as === null) return { ...person, role, token };
    return { ...person, role, token, actor: `${one.kind}:${one.acts_as}`, accountable: person.actor };
  }

  /** The user who signs in with what the sign-in's claim says; null for nobody. */
  signsIn(tenant: string, login: string): Principal | null {
    // Both are what somebody else says: `a/b` of tenant `c` is not `b` of a tenant `c/a`.
    if (!isName(tenant)) return null;
    const key = this.#byLogin.get(`${tenant}/${login}`);
    return this.#person(this.#records.get(key ?? "") as UserRecord | undefined);
  }

  #person(user: UserRecord | undefined): Principal | null {
    if (user === undefined || user.removed_at !== null) return null;
    const tenant = this.tenant(user.tenant);
    if (tenant === undefined || tenant.removed_at !== null) return null;
    const installation = user.tenant === this.#home;
    return {
      tenant: user.tenant,
      actor: `user:${user.name}`,
      accountable: null,
      role: user.role,
      installation,
    };
  }
}

function lower(one: Role, other: Role): Role {
  return roles.indexOf(one) < roles.indexOf(other) ? one : other;
}
