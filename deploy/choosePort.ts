import { Rejection } from "../services/kernel/errors.ts";
import { tryPort } from "./embedded/freePort.ts";

const portsTriedMax = 100;

/**
 * The port the API listens on. The default moves up when it is taken; one that was asked for does not.
 * @throws Rejection `PORT_TAKEN`
 */
export async function choosePort(of: { host: string; port: number; explicit: boolean }): Promise<number> {
  const { host, port, explicit } = of;
  const last = explicit ? port : Math.min(port + portsTriedMax - 1, 65_535);
  for (let candidate = port; candidate <= last; candidate++) {
    const free = await tryPort(host, candidate);
    if (free !== null) return free;
  }
  if (explicit) {
    throw new Rejection("PORT_TAKEN", `CAZI_PORT asks for ${port}, and another program listens there`, {
      hint: "End that program, choose another port, or unset CAZI_PORT to take the next free one.",
    });
  }
  throw new Rejection("PORT_TAKEN", `none of the ports ${port} to ${last} is free on ${host}`, {
    hint: "Set CAZI_PORT to a free port.",
  });
}
