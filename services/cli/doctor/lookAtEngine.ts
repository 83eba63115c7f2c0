import { engineRequest } from "../../../deploy/embedded/engineRequest.ts";
import { Retryable } from "../../kernel/errors.ts";
import { type EngineFacts, engineRows, type NodePolicy } from "./engineRows.ts";
import type { Row } from "./row.ts";
import { leftContainersRow } from "./runningRows.ts";

const timeoutMs = 5_000;

export interface EngineLook {
  readonly address: string;
  readonly policy: NodePolicy;
  /** Name on this instance's containers; null before its first start. */
  readonly instance: string | null;
  readonly isRunning: boolean;
}

/** Asks the engine what it is, and for the containers of this instance. @throws Retryable `ENGINE_UNREACHABLE` */
export async function lookAtEngine(look: EngineLook): Promise<Row[]> {
  const { address, instance } = look;
  const filters = JSON.stringify({ label: [`cazi.instance=${instance}`] });
  const [version, info, containers] = await Promise.all([
    ask<{ Version: string; Components?: EngineFacts["components"] }>(address, "/version"),
    ask<EngineFacts["info"]>(address, "/info"),
    instance === null
      ? []
      : ask<{ State: string }[]>(address, `/containers/json?all=true&filters=${encodeURIComponent(filters)}`),
  ]);
  const facts = { address, version: version.Version, components: version.Components ?? [], info };
  const running = containers.filter(({ State }) => State === "running").length;
  return [
    ...engineRows(facts, look.policy),
    leftContainersRow({ running, ended: containers.length - running }, look.isRunning),
  ];
}

async function ask<T>(address: string, path: string): Promise<T> {
  const { body } = await engineRequest(address, { method: "GET", path, timeoutMs }).catch((cause) => {
    throw new Retryable("ENGINE_UNREACHABLE", `no Docker engine answers at ${address}: ${cause.message}`, {
      cause,
      hint: "Start the engine or correct DOCKER_HOST; until then tasks stay pending. `npm start` starts one where it may.",
    });
  });
  return JSON.parse(body.toString("utf8")) as T;
}
