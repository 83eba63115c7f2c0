import type { ApiConnection, PutConnection } from "../../../schemas/api/connection.ts";
import type { SigningKeyList } from "../../../schemas/api/signingKey.ts";
import type { Http } from "./http.ts";

/** Connections, and the keys of workload tokens. */
export interface SecretsClient {
  listConnections(): Promise<{ readonly data: readonly ApiConnection[] }>;
  getConnection(name: string): Promise<ApiConnection>;
  putConnection(name: string, values: PutConnection): Promise<ApiConnection>;
  removeConnection(name: string, options: { readonly forget: boolean }): Promise<void>;
  listKeys(): Promise<SigningKeyList>;
  revokeKey(kid: string): Promise<SigningKeyList>;
  rotateKeys(wish: { readonly now: boolean; readonly replaces: string | null }): Promise<SigningKeyList>;
}

export function secretsClient({ call }: Http): SecretsClient {
  const of = (name: string) => ({ path: { name } });
  return {
    listConnections: () => call((api) => api.GET("/v1/connections")),
    getConnection: (name) => call((api) => api.GET("/v1/connections/{name}", { params: of(name) })),
    putConnection: (name, body) =>
      call((api) => api.PUT("/v1/connections/{name}", { params: of(name), body: body as never })),
    removeConnection: async (name, { forget }) => {
      const params = { ...of(name), query: { forget: forget ? ("true" as const) : ("false" as const) } };
      await call((api) => api.DELETE("/v1/connections/{name}", { params }));
    },
    listKeys: () => call((api) => api.GET("/v1/keys")),
    revokeKey: (kid) => call((api) => api.DELETE("/v1/keys/{kid}", { params: { path: { kid } } })),
    rotateKeys: (body) => call((api) => api.POST("/v1/keys/rotate", { body })),
  };
}
