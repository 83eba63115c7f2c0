import type { FastifyInstance } from "fastify";
import { Rejection } from "../../kernel/errors.ts";
import { portsTried } from "../limits.ts";

/** First port tried where none is given: always the same, so that containers that live on find it again. */
const PORT = 7170;

export interface ListenWish {
  /** Tried in this order. */
  readonly hosts: readonly string[];
  /** Null: {@link PORT} or the next free one. */
  readonly port: number | null;
}

/**
 * Where `CAZI_ARTIFACT_LISTEN` asks to listen; null for nowhere. Without a bridge that is on this machine, loopback:
 * a node beside it can still bring what a container left in its folder. Pure.
 * @param bridgeGateway null where no engine is beside this process
 * @throws Rejection `CONFIG_INVALID`
 */
export function listenWish(setting: string, bridgeGateway: string | null): ListenWish | null {
  if (setting === "off" || (setting === "auto" && bridgeGateway === null)) return null;
  if (setting === "auto") return { hosts: [bridgeGateway!, "127.0.0.1"], port: null };
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(setting);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    throw new Rejection("CONFIG_INVALID", "CAZI_ARTIFACT_LISTEN must be auto, off, or address:port", {
      hint: "Such as 172.17.0.1:7170, or [::1]:7170.",
    });
  }
  return { hosts: [match[1] ?? match[2]!], port };
}

/** Listens at the first of the addresses that there is. @returns its URL. @throws Rejection `PORT_TAKEN` */
export async function listenAt(app: FastifyInstance, wish: ListenWish): Promise<string> {
  const first = wish.port ?? PORT;
  const last = wish.port === null ? PORT + portsTried : first;
  for (const host of wish.hosts) {
    for (let port = first; port <= last; port++) {
      try {
        return await app.listen({ host, port });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // The bridge of an engine on another machine, or in another network namespace.
        if (code === "EADDRNOTAVAIL" && host !== wish.hosts.at(-1)) break;
        if (code !== "EADDRINUSE") throw error;
      }
    }
  }
  throw new Rejection("PORT_TAKEN", `Port ${first} of ${wish.hosts.join(" and ")} is taken.`, {
    hint: "Set CAZI_ARTIFACT_LISTEN to a free one.",
  });
}
