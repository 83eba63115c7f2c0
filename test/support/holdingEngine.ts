/** A way to the real engine on which a test can hold requests back, as an engine that takes its time. */
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineAddress } from "../../deploy/embedded/engineRequest.ts";

export interface HoldingEngine {
  readonly dockerHost: string;
  /** Holds back whatever request has this in its first line, from the next one on. */
  hold(words: string): void;
  /** How many are held now. */
  readonly held: number;
  /** Lets go of what is held, and holds nothing more. */
  release(): void;
  close(): Promise<void>;
}

/** @param dockerHost a unix socket, in the form of `DOCKER_HOST` */
export async function holdingEngine(dockerHost: string): Promise<HoldingEngine> {
  const target = engineAddress(dockerHost);
  if (target === null || !("socketPath" in target)) throw new Error("it needs an engine on a unix socket");
  const folder = await mkdtemp(join(tmpdir(), "cazi-engine-"));
  const path = join(folder, "docker.sock");
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let words: string | null = null;
  const server = createServer((near) => {
    const far = connect(target.socketPath as string);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        (socket === near ? far : near).destroy();
      });
    }
    far.pipe(near);
    near.on("data", (bytes: Buffer) => {
      const pass = () => void far.write(bytes);
      if (words === null || !bytes.subarray(0, 500).toString("latin1").split("\r\n", 1)[0]!.includes(words))
        pass();
      else waiting.push(pass);
    });
    near.on("end", () => far.end());
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    dockerHost: `unix://${path}`,
    hold: (some) => {
      words = some;
    },
    get held() {
      return waiting.length;
    },
    release: () => {
      words = null;
      for (const pass of waiting.splice(0)) pass();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
