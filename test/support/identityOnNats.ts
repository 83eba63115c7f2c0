import type { Ground } from "../../deploy/compose/roles/role.ts";
import { type Identity, openIdentity } from "../../services/control-plane/identity/identity.ts";
import {
  type ConnectionStore,
  createConnectionStore,
} from "../../services/kernel/connections/connectionStore.ts";
import { openMasterKey } from "../../services/kernel/sealing/masterKey.ts";

/** Keys and connections of a test's control plane, in its own NATS server. */
export async function identityOnNats({
  nats,
  ledger,
  clock,
  log,
}: Pick<Ground, "nats" | "ledger" | "clock" | "log">): Promise<{
  readonly identity: Identity;
  readonly connections: ConnectionStore;
}> {
  const master = openMasterKey("a master key that is used in tests alone");
  const connections = createConnectionStore({ kv: await nats.js.views.kv("connections"), master, clock });
  const identity = await openIdentity(
    {
      kv: await nats.js.views.kv("keys"),
      ledger,
      master,
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
  return { identity, connections };
}
