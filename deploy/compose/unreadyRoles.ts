import type { Health } from "../../schemas/api/health.ts";
import type { WriteGate } from "../../services/kernel/ledger/writeGate.ts";
import type { RunningRole } from "./roles/role.ts";

/** What keeps roles of this process from their work, for `/readyz`; empty when nothing does. */
export function unreadyRoles(gate: WriteGate | undefined, roles: readonly RunningRole[]): Health["reasons"] {
  // Nobody may have written yet: then the probe is the first that asks.
  if (gate !== undefined && gate.state !== "open") gate.open().catch(() => undefined);
  const message = "the ledger has lost events; nothing is written to it until it is repaired";
  return [
    ...(gate?.state === "regressed" ? [{ code: "LEDGER_REGRESSED", message }] : []),
    ...roles.flatMap((role) => {
      const trouble = role.trouble();
      return trouble === null ? [] : [{ code: "ROLE_TROUBLED", message: `${role.name}: ${trouble}` }];
    }),
  ];
}
