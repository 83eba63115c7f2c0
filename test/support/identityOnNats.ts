import type { Ground } from "../../deploy/compose/roles/role.ts";
import { type Identity, openIdentity } from "../../services/control-plane/identity/identity.ts";
import { openMasterKey } from "../../services/kernel/sealing/masterKey.ts";

/** The keys of a test's control plane, in its own NATS server. */
export async function identityOnNats({
  nats,
  ledger,
  clock,
  log,
}: Pick<Ground, "nats" | "ledger" | "clock" | "log">): Promise<Identity> {
  return openIdentity(
    {
      kv: await nats.js.views.kv("keys"),
      ledger,
      master: openMasterKey("a master key that is used in tests alone"),
      clock,
      log,
    },
    {
      issuer: () => "http://localhost:7070",
      audiences: [],
      startLimitMs: 60_000,
      stopGraceMs: 1_000,
      timing: { leadMs: 900_000, retainMs: 600_000_000 },
      rotateAfterMs: 0,
    },
  );
}
