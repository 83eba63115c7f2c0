import type { Fault } from "../fault.ts";
import { agentDies } from "./agentDies.ts";
import { cutLeaderOff, killLeader, stopLeader } from "./cluster.ts";
import { disturbMessages } from "./disturbMessages.ts";
import { fullDisk } from "./fullDisk.ts";
import { killRoles } from "./killRoles.ts";
import { killNats, killPostgres } from "./killServers.ts";
import { rollingRestart } from "./rollingRestart.ts";
import { stopLeaseHolder, stopNode } from "./stopNode.ts";

/** Every kind of fault, in the order in which they are run: those of one ground stand together. */
export const faults: readonly Fault[] = [
  killRoles,
  rollingRestart,
  disturbMessages,
  killNats,
  killPostgres,
  stopLeaseHolder,
  stopNode,
  ...agentDies,
  fullDisk,
  killLeader,
  cutLeaderOff,
  stopLeader,
];
