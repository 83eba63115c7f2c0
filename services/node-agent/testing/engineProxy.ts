import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clientOptions } from "../runtimes/docker/dockerClient.ts";

/** A way to the real engine that a test can cut, as an engine that stops, and mend. */
export interface EngineProxy {
  readonly dockerHost: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** @param dockerHost a unix socket, in the form of `DOCKER_HOST` */
export async function engineProxy(dockerHost: string): Promise<EngineProxy> {
  const target = clientOptions(dockerHost).socketPath;
  if (typeof target !== "string") throw new Error("the proxy needs an engine on a unix socket");
  const folder = await mkdtemp(join(tmpdir(), "cazi-engine-"));
  const path = join(folder, "docker.sock");
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  const proxy: EngineProxy = {
    dockerHost: `unix://${path}`,
    mend: async () => {
      server = createServer((near) => {
        const far = connect(target);
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on("error", () => {});
          socket.on("close", () => {
            sockets.delete(socket);
            (socket === near ? far : near).destroy();
          });
        }
        near.pipe(far).pipe(near);
      });
      await new Promise<void>((resolve) => server?.listen(path, resolve));
    },
    cut: async () => {
      server?.close();
      for (const socket of sockets) socket.destroy();
      await rm(path, { force: true });
    },
  };
  await proxy.mend();
  return proxy;
}
