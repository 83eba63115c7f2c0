/**
 * A way from a node agent to the engine that stops at a chosen step of a container's life: the request or its answer
 * is held back, and whoever set the trap is told. Held connections are closed once the agent is dead.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineAddress } from "../../../deploy/embedded/engineRequest.ts";

/** Steps between which an agent may die. */
export const deathPoints = ["before create", "after create", "after start", "after exit"] as const;
export type DeathPoint = (typeof deathPoints)[number];

export interface EngineGate {
  readonly dockerHost: string;
  /** Resolves when a container's life has come to `point`; from then on nothing passes until {@link open}. */
  trap(point: DeathPoint): Promise<void>;
  open(): void;
  close(): void;
}

export async function openEngineGate(dockerHost: string): Promise<EngineGate> {
  const address = engineAddress(dockerHost);
  if (address === null || !("socketPath" in address)) throw new Error("the gate needs a unix socket");
  const folder = mkdtempSync(join(tmpdir(), "cazi-gate-"));
  const path = join(folder, "docker.sock");
  const sockets = new Set<Socket>();
  let armed: { readonly point: DeathPoint; readonly hit: () => void } | null = null;
  let shut = false;
  const spring = () => {
    shut = true;
    armed?.hit();
  };
  const server = createServer((near) => {
    const far = connect(address.socketPath as string);
    /** What the last request on this connection asks, as far as a trap looks at it. */
    let asked: "create" | "start" | null = null;
    near.on("data", (data: Buffer) => {
      if (shut) return;
      if (REQUEST.test(data.subarray(0, 16).toString("latin1"))) asked = askedBy(data);
      if (armed?.point === "before create" && asked === "create") return spring();
      far.write(data);
    });
    far.on("data", (data: Buffer) => {
      if (shut) return;
      if (armed?.point === "after create" && asked === "create") return spring();
      // For `after exit` the agent learns nothing from the start on; the container itself is waited for.
      if ((armed?.point === "after start" || armed?.point === "after exit") && asked === "start")
        return spring();
      near.write(data);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("end", () => other.end());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    dockerHost: `unix://${path}`,
    trap: (point) =>
      new Promise((resolve) => {
        armed = { point, hit: resolve };
      }),
    open: () => {
      armed = null;
      for (const socket of sockets) socket.destroy();
      shut = false;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const REQUEST = /^(GET|POST|DELETE|PUT|HEAD) /;

function askedBy(data: Buffer): "create" | "start" | null {
  const line = data.subarray(0, 400).toString("latin1").split("\r\n", 1)[0]!;
  if (/^POST \S*\/containers\/create[? ]/.test(line)) return "create";
  if (/^POST \S*\/containers\/[^/ ]+\/start[? ]/.test(line)) return "start";
  return null;
}
