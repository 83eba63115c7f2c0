/** What a tenant may use. Pure. */
import type { Config } from "../../kernel/config.ts";
import type { TenantRecord } from "./records.ts";

/** 0: no limit. */
export interface LimitsInForce {
  readonly pending_max: number;
  readonly submits_per_minute: number;
  readonly follows_max: number;
  readonly stored_bytes_max: number;
}

export type LimitDefaults = Pick<
  Config,
  "tenantPendingMax" | "tenantSubmitsPerMinute" | "tenantFollowsMax" | "tenantStoredBytesMax"
>;

/** The limits set for a tenant, the installation's defaults in the place of those that are not. */
export function limitsInForce(
  set: { readonly [K in keyof LimitsInForce]: TenantRecord[K] } | undefined,
  defaults: LimitDefaults,
): LimitsInForce {
  return {
    pending_max: set?.pending_max ?? defaults.tenantPendingMax,
    submits_per_minute: set?.submits_per_minute ?? defaults.tenantSubmitsPerMinute,
    follows_max: set?.follows_max ?? defaults.tenantFollowsMax,
    stored_bytes_max: set?.stored_bytes_max ?? defaults.tenantStoredBytesMax,
  };
}
