/** A server on loopback that stands where the named endpoints are: requests go over a real socket, to it alone. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type NetworkPort, systemNetwork } from "../network/networkPort.ts";

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON unless it is a text. */
  readonly body: unknown;
}

export interface Asked {
  readonly method: string;
  /** Host that the tool meant, and the path. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export async function localEndpoints(reply: (asked: Asked, count: number) => Reply) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one: Asked = {
      method: request.method!,
      url: String(request.headers["x-meant-origin"]) + request.url,
      headers: request.headers,
      body,
    };
    asked.push(one);
    const { status = 200, headers = {}, body: answer } = reply(one, asked.length);
    response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const network: NetworkPort = {
    send(request) {
      const meant = new URL(request.url);
      const url = origin + meant.pathname + meant.search;
      return systemNetwork.send({
        ...request,
        url,
        headers: { ...request.headers, "x-meant-origin": meant.origin },
      });
    },
  };
  return { asked, network, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
