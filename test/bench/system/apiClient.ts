/**
 * The API as a client with kept-open connections sees it. Plain sockets and prepared requests: what the bench
 * itself costs is taken from the cores that it measures.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export interface ApiClient {
  /** Resolves at the 202, trying again what the server refuses for now. @returns the task's id */
  submit(spec: string): Promise<string>;
  /** Resolves when the task is over. */
  waitForEnd(id: string): Promise<EndedTask>;
  /** Asks for its end, and resolves when it is over. */
  cancelAndWait(id: string): Promise<EndedTask>;
  /** The task's history so far, oldest first. */
  events(id: string): Promise<readonly TaskEventTime[]>;
  /** Submits that were refused for now so far: a machine under load, or a system that cannot keep up. */
  refusals(): number;
  close(): void;
}

export interface EndedTask {
  readonly id: string;
  readonly started_at: string;
  readonly status: string;
  readonly submitted_at: string;
  readonly finished_at: string;
}

export interface TaskEventTime {
  readonly type: string;
  readonly at: string;
}

const waitSeconds = 45;
const waitsMax = 6;
const refusalPauseMs = 250;
const refusalsMax = 120;

export function openApiClient(at: { readonly url: string; readonly token: string }): ApiClient {
  const { hostname, port, host } = new URL(at.url);
  const common = `host: ${host}\r\nauthorization: Bearer ${at.token}\r\n`;
  const idle: Connection[] = [];
  const all: Connection[] = [];
  let refusals = 0;
  async function ask(request: string): Promise<Answer> {
    let connection = idle.pop();
    // A server closes what was idle for long.
    while (connection?.isClosed()) connection = idle.pop();
    connection ??= openConnection(hostname, Number(port));
    if (!all.includes(connection)) all.push(connection);
    const answer = await connection.ask(request);
    idle.push(connection);
    return answer;
  }
  const get = (path: string) => ask(`GET ${path} HTTP/1.1\r\n${common}\r\n`);
  const post = (path: string, body: string) =>
    ask(
      `POST ${path} HTTP/1.1\r\n${common}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  const waitForEnd = async (id: string): Promise<EndedTask> => {
    for (let tries = 1; ; tries++) {
      const { status, body } = await get(`/v1/tasks/${id}?wait=${waitSeconds}`);
      const task = JSON.parse(body) as EndedTask;
      if (status === 200 && task.finished_at !== null) return task;
      if (status !== 200 || tries === waitsMax)
        throw new Error(`task ${id} did not end: ${body.slice(0, 300)}`);
    }
  };
  return {
    submit: async (spec) => {
      for (let tries = 1; ; tries++) {
        const { status, body } = await post("/v1/tasks", spec);
        if (status === 202) return idOf(body);
        if (status !== 503 || tries > refusalsMax)
          throw new Error(`submit answered ${status}: ${body.slice(0, 300)}`);
        refusals++;
        await pause(refusalPauseMs);
      }
    },
    waitForEnd,
    cancelAndWait: async (id) => {
      const { status, body } = await post(`/v1/tasks/${id}/cancel`, "{}");
      if (status !== 202) throw new Error(`cancel answered ${status}: ${body.slice(0, 300)}`);
      return waitForEnd(id);
    },
    events: async (id) =>
      (JSON.parse((await get(`/v1/tasks/${id}/events`)).body) as { data: TaskEventTime[] }).data,
    refusals: () => refusals,
    close: () => {
      for (const connection of all) connection.close();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Connection {
  /** One request at a time. */
  ask(request: string): Promise<Answer>;
  isClosed(): boolean;
  close(): void;
}

function openConnection(host: string, port: number): Connection {
  const socket: Socket = connect({ host, port, noDelay: true });
  let waiter: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  let gathered = "";
  const fail = (error: Error) => {
    waiter?.reject(error);
    waiter = null;
  };
  socket.setEncoding("latin1");
  socket.on("data", (data: string) => {
    gathered += data;
    const answer = parseAnswer(gathered);
    if (answer === null) return;
    gathered = "";
    waiter?.resolve(answer);
    waiter = null;
  });
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the server closed the connection")));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiter = { resolve, reject };
        socket.write(request);
      }),
    isClosed: () => socket.destroyed || socket.readableEnded,
    close: () => socket.destroy(),
  };
}

/** @returns null while it is not all there; the API sends a length with every answer asked for here */
function parseAnswer(text: string): Answer | null {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end));
  if (length === null) throw new Error(`an answer without length: ${text.slice(0, 200)}`);
  const body = text.slice(end + 4);
  if (body.length < Number(length[1])) return null;
  return { status: Number(text.slice(9, 12)), body: Buffer.from(body, "latin1").toString() };
}

/** The first field of the answer: cheaper than reading it all. */
function idOf(body: string): string {
  const found = /"id":"([0-9a-z]{26})"/.exec(body);
  if (found === null) throw new Error(`an answer without a task's id: ${body.slice(0, 200)}`);
  return found[1]!;
}
