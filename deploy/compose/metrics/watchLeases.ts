import type { Lease } from "../../../services/kernel/lease.ts";
import type { Metrics } from "../../../services/kernel/metrics/metrics.ts";

/** Tells of each lease that this process strives for whether it holds it. */
export function watchLeases(metrics: Metrics, strive: (role: string) => Lease): (role: string) => Lease {
  const leases = new Map<string, Lease>();
  metrics.watch("leases", (set) => {
    for (const [role, lease] of leases) set("cazi_lease_held", { role }, lease.held() ? 1 : 0);
  });
  return (role) => {
    const lease = strive(role);
    leases.set(role, lease);
    return lease;
  };
}
