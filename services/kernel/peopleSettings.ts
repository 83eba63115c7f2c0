import { address, integer, setting, text } from "./setting.ts";

/** Of the API: what a tenant may use where nothing is set for it, and sign-in. */
export const peopleSettings = {
  tenantPendingMax: setting(
    "CAZI_TENANT_PENDING_MAX",
    0,
    integer(0, 1e9),
    "tasks of a tenant that may wait for a node, where nothing is set for the tenant itself; 0: no limit",
  ),
  tenantSubmitsPerMinute: setting(
    "CAZI_TENANT_SUBMITS_PER_MINUTE",
    0,
    integer(0, 1e6),
    "tasks that a tenant may submit in a minute; each server of the API takes its part; 0: no limit",
  ),
  tenantFollowsMax: setting(
    "CAZI_TENANT_FOLLOWS_MAX",
    100,
    integer(0, 1e6),
    "streams of logs and events that a tenant may have open; each server of the API takes its part; 0: no limit",
  ),
  tenantStoredBytesMax: setting(
    "CAZI_TENANT_STORED_BYTES_MAX",
    0,
    integer(0, 1e15),
    "bytes of output kept of a tenant's tasks, beyond which its submits are refused; 0: no limit",
  ),
  oidcIssuer: setting(
    "CAZI_OIDC_ISSUER",
    "",
    address("https", "http"),
    "OpenID Connect issuer whose signed tokens the API takes as well; unset: none",
  ),
  oidcAudience: setting("CAZI_OIDC_AUDIENCE", "", text, "what those tokens must name as their audience"),
  oidcUserClaim: setting("CAZI_OIDC_USER_CLAIM", "sub", text, "claim of them that holds a user's login"),
  oidcTenantClaim: setting(
    "CAZI_OIDC_TENANT_CLAIM",
    "",
    text,
    "claim of them that names the tenant; unset: the tenant of CAZI_TENANT",
  ),
} as const;
