import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noMeter } from "../../kernel/metrics/metrics.ts";
import { type Principal, type Role, roles } from "../ports.ts";
import { type ApiFixture, apiFixture, testToken } from "../testing/apiFixture.ts";

type Method = "get" | "post" | "put" | "patch" | "delete";

interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly role: Role | undefined;
  readonly installation: boolean;
}

const otherToken = "cazi_other-token";
let speaker: Principal = { tenant: "acme", actor: "user:a", role: "admin" };
let api: ApiFixture;
let operations: readonly Operation[];

beforeAll(async () => {
  const stranger: Principal = { tenant: "stranger", actor: "user:s", role: "admin", installation: true };
  api = await apiFixture({
    tokens: { verify: (token) => (token === otherToken ? stranger : speaker) },
    metrics: { ...noMeter, text: async () => "", access: "token" },
  });
  const { json } = await api.ask("GET", "/openapi.json");
  operations = Object.entries<Record<string, Record<string, unknown>>>(json.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods)
        .filter(([, { security }]) => !(Array.isArray(security) && security.length === 0))
        .map(([method, of]) => ({
          method: method as Method,
          path,
          role: of["x-cazi-role"] as Role | undefined,
          installation: of["x-cazi-installation"] === true,
        })),
  );
});
afterAll(() => api.app.close());

/** What is asked for is never there, so that nothing is begun by asking. */
const addressOf = (path: string) => path.replace(/\{\w+\}/g, "0".repeat(26));

const json = { "content-type": "application/json" };

/** A body, and what it is, where the method has one. */
const bodyOf = (method: Method, token: string) => {
  const own = { host: "localhost", authorization: `Bearer ${token}` };
  if (method === "get" || method === "delete") return { headers: own };
  return { headers: { ...own, ...json }, payload: "{}" };
};

async function ask({ method, path }: Operation, token = testToken) {
  const answer = await api.app.inject({
    method: method.toUpperCase() as "GET",
    url: addressOf(path),
    ...bodyOf(method, token),
  });
  return { status: answer.statusCode, code: /"code":"(\w+)"/.exec(answer.body)?.[1] };
}

describe("each route", () => {
  it("that needs a token declares the role it needs", () => {
    expect(operations.length).toBeGreaterThan(15);
    const silentOnes = operations.filter(({ role, path }) => role === undefined && path !== "/metrics");
    expect(silentOnes.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it("that changes something is not for viewers", () => {
    const open = operations.filter(({ method, role }) => method !== "get" && role === "viewer");
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it.each(roles)(
    "lets a %s do what the role may, and refuses the rest before anything else",
    async (role) => {
      speaker = { tenant: "acme", actor: "user:a", role, installation: true };
      api.stopping.abort();
      const wrong: string[] = [];
      for (const operation of operations) {
        const { code } = await ask(operation);
        const allowed = roles.indexOf(role) >= roles.indexOf(operation.role ?? "viewer");
        if ((code === "ROLE_TOO_LOW") === allowed)
          wrong.push(`${operation.method} ${operation.path}: ${code}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("of the installation is closed to admins of other tenants", async () => {
    speaker = { tenant: "acme", actor: "user:a", role: "admin", installation: false };
    const own = operations.filter(({ installation }) => installation);
    expect(own.length).toBeGreaterThan(4);
    for (const operation of own) {
      expect(await ask(operation), operation.path).toEqual({ status: 403, code: "INSTALLATION_ONLY" });
    }
    const metrics = operations.find(({ path }) => path === "/metrics")!;
    expect(await ask(metrics)).toEqual({ status: 403, code: "INSTALLATION_ONLY" });
  });
});

describe("another tenant's task", () => {
  it("is answered exactly as one that never was, on every route with an id", async () => {
    speaker = { tenant: "acme", actor: "user:a", role: "admin", installation: true };
    const made = await api.ask("POST", "/v1/tasks", { headers: json, body: '{"image":"a"}' });
    expect(made.status).toBe(202);
    const ofTask = operations.filter(({ path }) => path.startsWith("/v1/tasks/{id}"));
    expect(ofTask.length).toBeGreaterThan(7);
    for (const operation of ofTask) {
      const [theirs, never] = [
        await answer(operation, made.json.id),
        await answer(operation, "0".repeat(26)),
      ];
      expect(theirs.status, operation.path).toBe(404);
      expect(theirs, operation.path).toEqual(never);
    }
  });
});

/** Without what differs in any two answers: the id that was asked for, and the answer's own. */
async function answer({ method, path }: Operation, id: string) {
  const { statusCode, headers, body } = await api.app.inject({
    method: method.toUpperCase() as "GET",
    url: path.replace("{id}", id).replace(/\{\w+\}/g, "1"),
    ...bodyOf(method, otherToken),
  });
  const own = String(headers["x-correlation-id"]);
  const text = JSON.stringify({ headers: { ...headers, date: "" }, body });
  return { status: statusCode, text: text.replaceAll(id, "ID").replaceAll(own, "OWN") };
}
