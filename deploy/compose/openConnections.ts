import {
  type ConnectionStore,
  createConnectionStore,
} from "../../services/kernel/connections/connectionStore.ts";
import { type MasterKey, openMasterKey } from "../../services/kernel/sealing/masterKey.ts";
import { keptMasterKey } from "../homeFiles.ts";
import type { Ground } from "./openGround.ts";

/** Of a process that opens stored secrets: a control plane, or one that hands output on. @throws Rejection `MASTER_KEY_INVALID` */
export function masterKeyOf({ home, masterKey }: Ground["config"]): MasterKey {
  return openMasterKey(keptMasterKey(home, masterKey));
}

/** The stored connections. @throws Rejection `MASTER_KEY_INVALID` */
export async function openConnections({
  config,
  nats,
  clock,
}: Pick<Ground, "config" | "nats" | "clock">): Promise<ConnectionStore> {
  return createConnectionStore({
    kv: await nats.js.views.kv("connections"),
    master: masterKeyOf(config),
    clock,
  });
}
