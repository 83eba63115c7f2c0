/** A door in front of an API for clients that know no token: it adds one and passes all else on as it came. */
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** @returns where it listens, and how to end it */
export async function withToken(
  url: URL,
  token: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const door = createServer((incoming, answer) => {
    const { method, headers } = incoming;
    const sent = ask(
      url,
      { method, headers: { ...headers, authorization: `Bearer ${token}` }, setHost: false },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    sent.on("error", () => answer.destroy());
    answer.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}${url.pathname}`,
    close: () =>
      new Promise((resolve) => {
        door.close(() => resolve());
        door.closeAllConnections();
      }),
  };
}
