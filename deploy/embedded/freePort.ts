import { createServer } from "node:net";

/**
 * Whether this process could listen there now. Another may take the port before it is used: callers try again.
 * @param port 0 asks for any free one
 * @returns the port, or null when it is taken
 */
export function tryPort(host: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(null);
      else reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === "object" && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

/** A free loopback port: the `wanted` one when it is free, else any. */
export async function freeLoopbackPort(wanted: number | null): Promise<number> {
  const kept = wanted === null ? null : await tryPort("127.0.0.1", wanted);
  const port = kept ?? (await tryPort("127.0.0.1", 0));
  if (port === null) throw new Error("the system gives out no free loopback port");
  return port;
}
