import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * Bounds what `close()` waits for. Node closes connections that are idle at that moment, and waits for all others without an
 * end: for one on which nothing was asked yet (a client that lost a connection in mid-answer opens the next one at once), for
 * one whose answer ends a moment later and which is then kept alive, and for a reader that has stopped reading. The first go
 * at once, the second with their answer, the third after `graceMs`.
 */
export function endConnections(app: FastifyInstance, graceMs: number): void {
  const { server } = app;
  const unasked = new Set<Socket>();
  let closing = false;
  let cut: NodeJS.Timeout | undefined;
  server.on("connection", (socket: Socket) => {
    if (closing) return socket.destroy();
    unasked.add(socket);
    socket.once("close", () => unasked.delete(socket));
  });
  server.on("request", ({ socket }) => unasked.delete(socket));
  app.addHook("preClose", async () => {
    closing = true;
    // One that has sent a part of its request sends the rest, and is answered.
    for (const socket of unasked) if (socket.bytesRead === 0) socket.destroy();
    cut = setTimeout(() => server.closeAllConnections(), graceMs);
  });
  app.addHook("onResponse", async () => {
    if (closing) setImmediate(() => server.closeIdleConnections());
  });
  app.addHook("onClose", async () => clearTimeout(cut));
}
