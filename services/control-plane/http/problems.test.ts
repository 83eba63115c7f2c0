import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { problemIndex, problemPage } from "../../../schemas/api/problemPage.ts";
import { problems } from "../../../schemas/problems/catalogue.ts";
import { type ApiFixture, apiFixture } from "../testing/apiFixture.ts";

const opened: ApiFixture[] = [];
afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close();
});

describe("the problem catalogue's pages", () => {
  it("are at the address that a problem document's type names, without a token", async () => {
    const { ask, app } = await apiFixture();
    const refused = await ask("GET", "/v1/tasks?limit=0");
    expect(refused.json.type).toBe("/problems/REQUEST_INVALID");
    const page = await app.inject({ url: refused.json.type, headers: { host: "localhost" } });
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toContain("text/markdown");
    expect(page.body).toContain("# REQUEST_INVALID");
    expect(page.body).toContain(problems.REQUEST_INVALID!.todo);
  });

  it("come as HTML, as Markdown or as JSON, by Accept", async () => {
    const { ask } = await apiFixture();
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (const [accept, type] of [
      [browser, "text/html"],
      ["application/json", "application/json"],
      ["text/html;q=0.1, application/json;q=0.2", "application/json"],
      ["*/*", "text/markdown"],
      ["image/png", "text/markdown"],
    ] as const) {
      for (const url of ["/problems", "/problems/TASK_NOT_FOUND"]) {
        const answer = await ask("GET", url, { headers: { accept } });
        expect(answer.status).toBe(200);
        expect(answer.headers["content-type"], `${url} ${accept}`).toContain(type);
        expect(answer.headers.vary).toContain("Accept");
        expect(answer.raw.toString()).toContain("TASK_NOT_FOUND");
      }
    }
    const index = await ask("GET", "/problems", { headers: { accept: "application/json" } });
    expect(problemIndex.parse(index.json).data.map((one) => one.code)).toEqual(Object.keys(problems));
    const page = await ask("GET", "/problems/TASK_ERASED", { headers: { accept: "application/json" } });
    expect(problemPage.parse(page.json)).toMatchObject({ status: 410, type: "/problems/TASK_ERASED" });
  });

  it("are not there for a code that there is none of", async () => {
    const { ask } = await apiFixture();
    for (const code of ["NO_SUCH_CODE", "constructor", "__proto__", "%3Cscript%3E"]) {
      expect((await ask("GET", `/problems/${code}`)).json).toMatchObject({ status: 404, code: "NOT_FOUND" });
    }
  });
});

describe("a request by the wrong method", () => {
  it("is answered 405 with Allow and a problem, whatever the method and without a token", async () => {
    const { app } = await apiFixture();
    for (const [method, url, allow] of [
      ["DELETE", "/v1/tasks", "GET, HEAD, POST"],
      ["PUT", `/v1/tasks/${"0".repeat(26)}?x=1`, "DELETE, GET, HEAD"],
      ["GET", `/v1/tasks/${"0".repeat(26)}/cancel`, "POST"],
      ["OPTIONS", "/healthz", "GET, HEAD"],
      ["PROPFIND", "/v1/nodes", "GET, HEAD"],
    ] as const) {
      const answer = await app.inject({ method: method as "GET", url, headers: { host: "localhost" } });
      expect(answer.statusCode, `${method} ${url}`).toBe(405);
      expect(answer.headers.allow).toBe(allow);
      expect(answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED", status: 405 });
    }
    const nothing = await app.inject({
      method: "DELETE",
      url: "/v1/nothing",
      headers: { host: "localhost" },
    });
    expect(nothing.json()).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(nothing.headers.allow).toBeUndefined();
  });
});

describe("what cannot be read as a request", () => {
  it.each([
    ["no HTTP", "hello\r\n\r\n", 400, "REQUEST_MALFORMED"],
    ["a method that there is not", "FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "REQUEST_MALFORMED"],
    [
      "headers beyond the bound",
      `GET / HTTP/1.1\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    ["no Host header", "GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "REQUEST_MALFORMED"],
    [
      "two lengths",
      "POST /v1/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "REQUEST_MALFORMED",
    ],
  ])("is answered as a problem document: %s", async (_what, bytes, status, code) => {
    const fixture = await apiFixture();
    opened.push(fixture);
    await fixture.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = fixture.app.server.address() as { port: number };
    const text = await exchange(port, bytes);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain("content-type: application/problem+json");
    expect(JSON.parse(body)).toMatchObject({ status, code, type: `/problems/${code}` });
    expect(head).toContain(JSON.parse(body).correlation_id);
  });
});

describe("a wrong parameter", () => {
  it("is told in a plain sentence, and never in the schema library's words", async () => {
    const { ask } = await apiFixture();
    for (const [query, sentence] of [
      ["limit=many", "/limit must be a number, not text"],
      ["limit=1.5", "/limit must be a number, not text"],
      ["limit=0", "/limit must be at least 1"],
      ["limit=9999", "/limit must be at most 200"],
      ["status=done", '/status/0 must be one of "pending", "scheduled"'],
      ["label==x", "/label/0 must be a label's name, or name=value"],
      ["name=a&name=b", "/name must be text, not a list"],
      [`name=${"x".repeat(200)}`, "/name must have at most 128 characters"],
    ] as const) {
      const { json } = await ask("GET", `/v1/tasks?${query}`);
      expect(json.detail, query).toContain(sentence);
      expect(JSON.stringify(json), query).not.toMatch(/Invalid|expected|received/);
    }
  });
});

/** What a server answers to bytes, until it ends the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(5_000, () => reject(new Error(`no answer, only ${text}`)));
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}
