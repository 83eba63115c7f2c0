/**
 * The embedded Postgres, a program of its own: the WASM engine blocks its event loop while it works. Arguments:
 * data folder, socket path. Whoever starts it holds the home's lock and has ended any predecessor.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { frameReader } from "./pgFrames.ts";
import { sharedSession } from "./sharedSession.ts";

const turnMsMax = 5_000;
const connectionsMax = 100;
/** The default of 128 MB is held in this process's memory from the first moment on. */
const sharedBuffers = "64MB";

const [dataFolder, socketPath] = process.argv.slice(2);
if (dataFolder === undefined || socketPath === undefined)
  throw new Error("usage: postgresServer DATA SOCKET");

const db = await openDatabase(dataFolder);
const session = sharedSession({
  // The engine must not be entered twice; the session calls it one frame after the other.
  execute: (message, onData) => db.execProtocolRawStream(message, { onRawData: onData }),
  turnMsMax,
  broken: (error) => {
    console.error("the session failed; this process must be replaced", error);
    process.exit(70);
  },
});

rmSync(socketPath, { force: true });
const server = createServer(serve);
server.maxConnections = connectionsMax;
server.listen(socketPath, () => console.log(`listening on ${socketPath}`));
process.once("SIGTERM", () => {
  server.close();
  void db.close().then(() => process.exit(0));
});

/** A first start that was killed half-way leaves a cluster that cannot be used: it is made again. */
async function openDatabase(folder: string): Promise<PGlite> {
  const marker = `${folder}.complete`;
  if (!existsSync(marker)) rmSync(folder, { recursive: true, force: true });
  // A pid file of a killed predecessor would name a process of another kind.
  rmSync(`${folder}/postmaster.pid`, { force: true });
  const database = await PGlite.create({
    dataDir: folder,
    extensions: { vector },
    startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${sharedBuffers}`],
  });
  if (!existsSync(marker)) {
    await database.exec("CREATE EXTENSION IF NOT EXISTS vector");
    writeFileSync(marker, "");
  }
  return database;
}

function serve(socket: Socket): void {
  const read = frameReader();
  const connection = session.connect({
    write: (data) => void socket.write(data),
    end: () => socket.end(),
  });
  socket.on("data", (data) => {
    try {
      for (const frame of read(data)) {
        if (frame.kind === "encryption_request") socket.write("N");
        else if (frame.kind === "cancel_request") socket.destroy();
        else connection.receive(frame);
      }
    } catch (error) {
      console.error("a client sent what is not the protocol:", (error as Error).message);
      socket.destroy();
    }
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => connection.closed());
}
