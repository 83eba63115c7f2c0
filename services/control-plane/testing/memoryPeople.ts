import { Rejection } from "../../kernel/errors.ts";
import type { People } from "../people/people.ts";

/** Nobody is there, for tests of the other routes: an integration test has the real ones. */
export function memoryPeople(home: string): People {
  const none = (code: string) => async (): Promise<never> => {
    throw new Rejection(code, "There is nobody.");
  };
  const empty = async () => ({ data: [], next_cursor: null });
  const tenant = none("TENANT_NOT_FOUND");
  const user = none("USER_NOT_FOUND");
  const token = none("TOKEN_NOT_FOUND");
  return {
    home,
    limits: () => ({ pending_max: 0, submits_per_minute: 0, follows_max: 0, stored_bytes_max: 0 }),
    ...{ listTenants: empty, listUsers: empty, listTokens: empty },
    ...{ getTenant: tenant, createTenant: tenant, changeTenant: tenant, removeTenant: tenant },
    ...{ getUser: user, createUser: user, changeUser: user, removeUser: user },
    ...{ getToken: token, createToken: token, revokeToken: token },
  };
}
