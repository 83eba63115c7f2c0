import { type AttemptRef, logHeaders } from "../../../schemas/messages/node.ts";
import { type LogStream, subjects } from "../../../streams/subjects.ts";
import { tempHome } from "../../../test/support/tempHome.ts";
import { startTestNats, type TestNats } from "../../../test/support/withNats.ts";
import { systemClock } from "../../kernel/clock.ts";
import { type Config, loadConfig } from "../../kernel/config.ts";
import { newId } from "../../kernel/ids.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { noTracer } from "../../kernel/tracing/tracer.ts";
import { type RunningNodeAgent, startNodeAgent } from "../main.ts";
import type { AgentLog } from "../ports.ts";
import type { ScriptEngine } from "../runtimes/script/scriptEngine.ts";
import { connectTestNats, prepareStreams } from "./connectTestNats.ts";
import { MiniControlPlane } from "./miniControlPlane.ts";

const NODE = "local";

/** Collects what an agent says; tests of quiet runs look at its problems. */
export interface CollectingLog extends AgentLog {
  readonly notes: string[];
  readonly problems: string[];
}

/** How an agent of a test gets its compartment. */
export type MakeScripts = (config: Config) => Promise<ScriptEngine | null>;

/** A node agent with a NATS server of its own and the least of a control plane. */
export interface NodeFixture {
  readonly server: TestNats;
  readonly plane: MiniControlPlane;
  readonly instance: string;
  readonly home: string;
  readonly log: CollectingLog;
  /** The control plane's connection. */
  readonly nats: Nats;
  /** Starts a life of the agent, on a connection of its own. */
  startAgent(env?: Record<string, string>, scripts?: MakeScripts): Promise<RunningNodeAgent>;
  /** All bytes that LOGS holds of one stream, put together by offset, with what was said to be dropped. */
  logged(ref: AttemptRef, stream: LogStream): Promise<{ bytes: Buffer; dropped: number }>;
  newTask(): string;
  close(): Promise<void>;
}

export async function nodeFixture(): Promise<NodeFixture> {
  const home = tempHome();
  const server = await startTestNats();
  const nats = await connectTestNats(server, "control-plane");
  await prepareStreams(nats, NODE);
  const plane = new MiniControlPlane(nats, NODE);
  await plane.start();
  const instance = newId(Date.now());
  const log = collectingLog();
  const agents: RunningNodeAgent[] = [];
  const connections: Nats[] = [nats];
  let tasks = 0;
  return {
    server,
    plane,
    instance,
    home: home.path,
    log,
    nats,
    startAgent: async (env = {}, scripts = async () => null) => {
      const connection = await connectTestNats(server, "agent");
      connections.push(connection);
      const config = testConfig(home.path, env);
      const agent = await startNodeAgent({
        config,
        nats: connection,
        clock: systemClock,
        log,
        tracer: noTracer,
        instance,
        scripts: await scripts(config),
      });
      agents.push(agent);
      return agent;
    },
    logged: (ref, stream) => readLogged(nats, ref, stream),
    newTask: () => `t${++tasks}-${instance.slice(-6)}`,
    close: async () => {
      await Promise.all(agents.map((agent) => agent.stop()));
      await Promise.all(connections.map((one) => one.connection.close()));
      await server.stop();
      home.remove();
    },
  };
}

function testConfig(home: string, env: Record<string, string>): Config {
  const { config } = loadConfig(
    { CAZI_HOME: home, CAZI_NODE: NODE, CAZI_BEAT_SECONDS: "0.3", CAZI_STOP_GRACE_SECONDS: "1", ...env },
    () => "",
  );
  return config;
}

function collectingLog(): CollectingLog {
  const notes: string[] = [];
  const problems: string[] = [];
  const keepIn = (lines: string[]) => (fields: object, message: string) => {
    const { error, by } = fields as { error?: unknown; by?: string };
    lines.push([message, by, error].filter((part) => part !== undefined).join(": "));
  };
  return {
    notes,
    problems,
    debug: () => {},
    info: keepIn(notes),
    warn: keepIn(problems),
    error: keepIn(problems),
  };
}

async function readLogged(nats: Nats, ref: AttemptRef, stream: LogStream) {
  const subject = subjects.log({ node: NODE, task: ref.task, attempt: ref.attempt, stream });
  const consumer = await nats.js.consumers.get("LOGS", { filterSubjects: subject });
  const parts: Buffer[] = [];
  let length = 0;
  let dropped = 0;
  let { num_pending: left } = await consumer.info();
  if (left === 0) return { bytes: Buffer.alloc(0), dropped };
  for await (const message of await consumer.consume()) {
    const offset = Number(message.headers?.get(logHeaders.offset));
    if (offset > length) throw new Error(`bytes are missing before ${offset}: there are ${length}`);
    // A part that was sent again overlaps what is there.
    const rest = Buffer.from(message.data).subarray(length - offset);
    parts.push(rest);
    length += rest.length;
    dropped += Number(message.headers?.get(logHeaders.dropped) || 0);
    if (--left === 0) break;
  }
  return { bytes: Buffer.concat(parts), dropped };
}
