/** Tenants, users and tokens of the API as functions. */
import { randomUUID } from "node:crypto";
import type { Page } from "../../../schemas/api/page.ts";
import type {
  CreatedToken,
  CreateToken,
  Me,
  Tenant,
  TenantLimits,
  Token,
  User,
} from "../../../schemas/api/people.ts";
import type { Http } from "./http.ts";

interface PageOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Another tenant than the token's own; for admins of the installation. */
interface InTenant {
  readonly tenant?: string | undefined;
}

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What is changed of a user. */
export type UserChange = Changes<Pick<User, "role" | "display_name" | "login">> & TakenBack;

interface TakenBack {
  /** Takes back that it was removed. */
  readonly removed?: false | undefined;
}

/** What is changed of a tenant. */
export interface TenantChange extends TakenBack {
  readonly display_name?: string | undefined;
  readonly limits?: Changes<TenantLimits>;
}

export interface PeopleClient {
  me(): Promise<Me>;
  listTenants(options?: PageOptions): Promise<Page<Tenant>>;
  createTenant(name: string, change: Omit<TenantChange, "removed">): Promise<Tenant>;
  changeTenant(name: string, change: TenantChange): Promise<Tenant>;
  removeTenant(name: string): Promise<Tenant>;
  listUsers(options?: PageOptions & InTenant): Promise<Page<User>>;
  createUser(name: string, change: Omit<UserChange, "removed">, of?: InTenant): Promise<User>;
  changeUser(name: string, change: UserChange, of?: InTenant): Promise<User>;
  removeUser(name: string, of?: InTenant): Promise<User>;
  listTokens(options?: PageOptions & InTenant): Promise<Page<Token>>;
  /** `token` is null when an earlier try made it and its answer was lost. */
  createToken(
    wanted: Pick<CreateToken, "name" | "acts_for"> & Changes<CreateToken>,
    of?: InTenant,
  ): Promise<CreatedToken>;
  revokeToken(id: string, of?: InTenant): Promise<Token>;
}

export function peopleClient({ call }: Pick<Http, "call">): PeopleClient {
  const keyed = () => ({ header: { "idempotency-key": randomUUID() } });
  return {
    me: () => call((api) => api.GET("/v1/me")),
    listTenants: (query) => call((api) => api.GET("/v1/tenants", { params: { query: given(query) } })),
    createTenant: (name, change) =>
      call((api) => api.POST("/v1/tenants", { params: keyed(), body: { name, ...tenantBody(change) } })),
    changeTenant: (name, { removed, ...change }) => {
      const body = { ...tenantBody(change), ...given({ removed }) };
      return call((api) => api.PATCH("/v1/tenants/{name}", { params: { path: { name } }, body }));
    },
    removeTenant: (name) => call((api) => api.DELETE("/v1/tenants/{name}", { params: { path: { name } } })),
    listUsers: (query) => call((api) => api.GET("/v1/users", { params: { query: given(query) } })),
    createUser: (name, change, of) => {
      const params = { ...keyed(), query: given(of) };
      return call((api) => api.POST("/v1/users", { params, body: { name, ...given(change) } }));
    },
    changeUser: (name, change, of) => {
      const params = { path: { name }, query: given(of) };
      return call((api) => api.PATCH("/v1/users/{name}", { params, body: given(change) }));
    },
    removeUser: (name, of) => {
      const params = { path: { name }, query: given(of) };
      return call((api) => api.DELETE("/v1/users/{name}", { params }));
    },
    listTokens: (query) => call((api) => api.GET("/v1/tokens", { params: { query: given(query) } })),
    createToken: (wanted, of) => {
      const params = { ...keyed(), query: given(of) };
      const body = { ...given(wanted), name: wanted.name, acts_for: wanted.acts_for };
      return call((api) => api.POST("/v1/tokens", { params, body }));
    },
    revokeToken: (id, of) => {
      const params = { path: { id }, query: given(of) };
      return call((api) => api.DELETE("/v1/tokens/{id}", { params }));
    },
  };
}

function tenantBody({ display_name, limits }: Omit<TenantChange, "removed">) {
  return { ...given({ display_name }), limits: given(limits) };
}

type Given<T> = { -readonly [K in keyof T]: Exclude<T[K], undefined> };

/** The members that have a value. */
function given<T extends object>(of: T | undefined): Given<T> {
  return Object.fromEntries(
    Object.entries(of ?? {}).filter(([, value]) => value !== undefined),
  ) as unknown as Given<T>;
}
