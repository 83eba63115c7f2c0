/** What the API needs of who is who, as a type: `startPeople.ts` gives the real one. */
import type { Page } from "../../../schemas/api/page.ts";
import type {
  ChangeTenant,
  ChangeUser,
  CreatedToken,
  CreateTenant,
  CreateToken,
  CreateUser,
  Tenant,
  Token,
  User,
} from "../../../schemas/api/people.ts";
import type { LimitsInForce } from "./tenantLimits.ts";

/** The request that creates something: a repeat of it changes nothing. */
export interface CreatingBy {
  readonly actor: string;
  /** Follows from tenant, principal, route and key. */
  readonly creation: string;
}

export interface Made<T> {
  readonly value: T;
  readonly repeated: boolean;
}

export interface PageAsked {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * All of them throw Retryable `DATABASE_UNAVAILABLE`, those that create Rejection `IDEMPOTENCY_KEY_REUSED`, lists
 * Rejection `CURSOR_INVALID`.
 */
export interface People {
  /** The installation's own tenant. */
  readonly home: string;
  limits(tenant: string): LimitsInForce;
  listTenants(query: PageAsked): Promise<Page<Tenant>>;
  /** @throws Rejection `TENANT_NOT_FOUND` */
  getTenant(name: string): Promise<Tenant>;
  /** @throws Rejection `TENANT_EXISTS` */
  createTenant(wanted: CreateTenant, by: CreatingBy): Promise<Made<Tenant>>;
  /** @throws Rejection `TENANT_NOT_FOUND` */
  changeTenant(name: string, change: ChangeTenant): Promise<Tenant>;
  /** Removing again changes nothing. @throws Rejection `TENANT_NOT_FOUND`, `TENANT_IS_HOME` */
  removeTenant(name: string): Promise<Tenant>;
  listUsers(tenant: string, query: PageAsked): Promise<Page<User>>;
  /** @throws Rejection `USER_NOT_FOUND` */
  getUser(tenant: string, name: string): Promise<User>;
  /** @throws Rejection `USER_EXISTS`, `TENANT_NOT_FOUND` */
  createUser(tenant: string, wanted: CreateUser, by: CreatingBy): Promise<Made<User>>;
  /** @throws Rejection `USER_NOT_FOUND`, `USER_EXISTS` for a login that is another's */
  changeUser(tenant: string, name: string, change: ChangeUser): Promise<User>;
  /** Removing again changes nothing. @throws Rejection `USER_NOT_FOUND` */
  removeUser(tenant: string, name: string): Promise<User>;
  /** Newest first. */
  listTokens(tenant: string, query: PageAsked): Promise<Page<Token>>;
  /** @throws Rejection `TOKEN_NOT_FOUND` */
  getToken(tenant: string, id: string): Promise<Token>;
  /** @throws Rejection `USER_NOT_FOUND`, `TOKEN_INVALID` */
  createToken(tenant: string, wanted: CreateToken, by: CreatingBy): Promise<Made<CreatedToken>>;
  /**
   * In force at once on every replica that NATS reaches, and possible while either NATS or Postgres is away. Revoking
   * again changes nothing.
   * @throws Rejection `TOKEN_NOT_FOUND`; Retryable `TOKENS_UNREACHABLE` when both are away
   */
  revokeToken(tenant: string, id: string, by: string): Promise<Token>;
}
