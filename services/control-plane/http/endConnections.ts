import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** A request that was sent with the connection is here by then. */
const FIRST_BYTES_MS = 250;

/**
 * Bounds what `close()` waits for. Node closes connections that are idle at that moment, and waits for all others without an
 * end: for one on which nothing was asked yet (a client that lost a connection in mid-answer opens the next one at once), for
 * one whose answer ends a moment later and which is then kept alive, and for a reader that has stopped reading. The first go
 * at once, the second with their answer, the third after `graceMs`.
 */
export function endConnections(app: FastifyInstance, graceMs: number): void {
  const { server } = app;
  const unasked = new Set<Socket>();
  const timers: NodeJS.Timeout[] = [];
  server.on("connection", (socket: Socket) => {
    unasked.add(socket);
    socket.once("close", () => unasked.delete(socket));
  });
  server.on("request", ({ socket }) => unasked.delete(socket));
  app.addHook("preClose", async () => {
    const endUnasked = () => {
      // One that has sent a part of its request sends the rest, and is answered.
      for (const socket of unasked) if (socket.bytesRead === 0) socket.destroy();
    };
    timers.push(
      setTimeout(endUnasked, FIRST_BYTES_MS),
      setTimeout(() => server.closeAllConnections(), graceMs),
    );
  });
  app.addHook("onResponse", async () => {
    if (timers.length > 0) setImmediate(() => server.closeIdleConnections());
  });
  app.addHook("onClose", async () => timers.forEach(clearTimeout));
}
