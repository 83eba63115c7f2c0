/** Asks the API that runs: whether it serves, and whether its doors hold. Each door is tried, not believed. */
import { type IncomingMessage, request } from "node:http";
import { request as secureRequest } from "node:https";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import { signingKeysRow } from "./identityRows.ts";
import { type Row, rowOf } from "./row.ts";
import type { RowId } from "./rowCatalogue.ts";

export const doorRowIds = [
  "token",
  "host_header",
  "metrics",
  "signing_keys",
] as const satisfies readonly RowId[];

export async function lookAtApi(client: ApiClient, rotateDays: number): Promise<Row[]> {
  const { status, reasons } = await client.readiness();
  const ready =
    status === "ok"
      ? rowOf("api", "ok", `${client.url} is ready`)
      : rowOf(
          "api",
          "fail",
          `${client.url} is not ready: ${reasons.map(({ message }) => message).join("; ")}`,
          "Mend what it names; the log says more (cazi.log in CAZI_HOME).",
        );
  const [keys, token, host, metrics] = await Promise.all([
    client.listKeys().then(({ data }) => signingKeysRow(data, rotateDays), unseenKeys),
    statusOf(client.url, "/v1/nodes", { authorization: "Bearer cazi_doctor-tries-a-wrong-one" }),
    statusOf(client.url, "/healthz", { host: "cazi-doctor.invalid" }),
    statusOf(client.url, "/metrics", {}),
  ]);
  return [ready, tokenRow(token), hostRow(host), metricsRow(metrics), keys];
}

function unseenKeys({ message }: Error): Row {
  return rowOf("signing_keys", "unknown", `not looked at: ${message}`);
}

function tokenRow(status: number): Row {
  // 429: so many wrong ones came lately that it is not even looked at.
  if (status === 401 || status === 429) return rowOf("token", "ok", "tried: a wrong one is refused");
  return rowOf(
    "token",
    "fail",
    `a wrong token was answered with ${status}`,
    "Whatever answers there is no Cazi of this version.",
  );
}

function hostRow(status: number): Row {
  if (status === 403 || status === 421) return rowOf("host_header", "ok", "tried: a foreign name is refused");
  return rowOf(
    "host_header",
    "not_enforced",
    "any name is answered, because the API listens beyond loopback",
    "Set CAZI_ALLOWED_HOSTS to the names it has.",
  );
}

function metricsRow(status: number): Row {
  if (status === 401) return rowOf("metrics", "ok", "tried: /metrics asks for a token");
  if (status === 404) return rowOf("metrics", "ok", "/metrics is not served");
  return rowOf(
    "metrics",
    "not_enforced",
    "/metrics asks for no token, as the probes; it names no tenant and no task",
    "CAZI_METRICS=off serves none; beyond loopback it asks for a token by itself.",
  );
}

const timeoutMs = 5_000;

/** `fetch` does not let anybody choose the Host header. */
function statusOf(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const send = url.startsWith("https:") ? secureRequest : request;
  return new Promise((resolve, reject) => {
    const call = send(
      `${url.replace(/\/$/, "")}${path}`,
      { headers, agent: false, timeout: timeoutMs },
      (answer: IncomingMessage) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    call.on("timeout", () => call.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
    call.on("error", reject);
    call.end();
  });
}
