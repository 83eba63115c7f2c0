import { loadConfig } from "../../../services/kernel/config.ts";
import { type Env, shortTimes } from "../../support/product.ts";

/** How long a ground takes to notice things, in milliseconds. */
export interface GroundTimes {
  readonly env: Env;
  readonly leaseMs: number;
  /** A node's silence after which its attempts are lost. */
  readonly lostMs: number;
  /** Time that tasks have to end after a fault: a retry's back-off grows to minutes when faults follow each other. */
  readonly endMs: number;
}

/** One or two seconds, so that what waits for them is seen. */
const shortEnv: Env = {
  ...shortTimes,
  CAZI_LEASE_SECONDS: "2",
  CAZI_BEAT_SECONDS: "0.5",
  CAZI_NODE_OFFLINE_SECONDS: "3",
  CAZI_NODE_LOST_GRACE_SECONDS: "2",
  CAZI_CLAIM_LIMIT_SECONDS: "4",
  CAZI_START_LIMIT_SECONDS: "20",
};
const endMs = 180_000;

/** @param defaults those that a user gets who sets none, instead of short ones */
export function groundTimes(defaults: boolean): GroundTimes {
  // An empty variable is one that is not set: the fleet's own short times do not count either.
  const isTime = (name: string) => name.endsWith("_SECONDS");
  const env = defaults
    ? Object.fromEntries(Object.keys(shortEnv).map((name) => [name, isTime(name) ? "" : shortEnv[name]!]))
    : shortEnv;
  const { leaseMs, nodeOfflineMs, nodeLostGraceMs, claimLimitMs, dueMarginMs } = loadConfig(
    env,
    () => "",
  ).config;
  const lostMs = nodeOfflineMs + nodeLostGraceMs;
  return { env, leaseMs, lostMs, endMs: endMs + 2 * (lostMs + claimLimitMs + dueMarginMs) };
}
