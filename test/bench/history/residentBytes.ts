import { readFileSync } from "node:fs";
import { connect, credsAuthenticator } from "nats";
import type { TestNats } from "../../support/withNats.ts";

/** Memory that the NATS server says it has, in bytes: what the system account is told. */
export async function residentBytesOf(server: TestNats): Promise<number> {
  const connection = await connect({
    servers: server.url,
    authenticator: credsAuthenticator(readFileSync(server.systemCredsFile)),
  });
  try {
    const answer = await connection.request("$SYS.REQ.SERVER.PING.STATSZ", undefined, { timeout: 5_000 });
    return answer.json<{ statsz: { mem: number } }>().statsz.mem;
  } finally {
    await connection.close();
  }
}
