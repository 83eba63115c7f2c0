/** A node that does only what a test says: it registers, lives while told so, and says what the test puts in its mouth. */
import { randomUUID } from "node:crypto";
import type { BeatReply, GrantReply, NodeRegistration, Report } from "../../schemas/messages/node.ts";
import type { TaskKey } from "../../services/kernel/ledger/taskLedger.ts";
import type { Nats } from "../../services/kernel/nats/connectNats.ts";
import { subjects } from "../../streams/subjects.ts";

export interface ScriptedNode {
  /** Takes the offer of an attempt as a node does, and asks whether it may start. */
  grant(attempt: TaskKey & { readonly attempt: number; readonly fence: string }): Promise<GrantReply>;
  report(
    attempt: TaskKey & { readonly attempt: number; readonly fence: string },
    facts: Partial<Report>,
  ): Promise<void>;
  /** What the control plane wants of it, where it sees nothing itself. */
  beat(): Promise<BeatReply>;
  /** No sign of life from here on. */
  fallSilent(): void;
}

const livesEveryMs = 300;

/** @param tag that only tasks for it ask for */
export async function scriptedNode(nats: Nats, name: string, tag: string): Promise<ScriptedNode> {
  const registration: NodeRegistration = {
    node: name,
    runtime: "noop",
    labels: {},
    tags: [tag],
    slots: 64,
    cpus: 1_000,
    memory_bytes: Number.MAX_SAFE_INTEGER,
    mount_allowlist: [],
    networks: ["bridge", "none"],
    engine: null,
    unavailable: null,
    registered_at: Date.now(),
  };
  const ask = async <T>(subject: string, body: object) =>
    (await nats.connection.request(subject, JSON.stringify(body), { timeout: 10_000 })).json<T>();
  const live = () =>
    nats.js.publish(
      subjects.heartbeat({ node: name }),
      JSON.stringify({ node: name, at: Date.now(), running: 0 }),
      { msgID: randomUUID() },
    );
  await ask(subjects.register({ node: name }), registration);
  await live();
  const timer = setInterval(() => void live().catch(() => undefined), livesEveryMs);
  const nothing = { image: null, pull: null, not_started: null, started_at: null, ended: null } as const;
  const logs = { stdout: { stored: 0, dropped: 0 }, stderr: { stored: 0, dropped: 0 } };
  let revision = 0;
  return {
    grant: ({ tenant, task, attempt, fence }) =>
      ask(subjects.grant({ node: name }), { tenant, task, attempt, fence, node: name, decline: null }),
    report: async ({ tenant, task, attempt, fence }, facts) => {
      const report = {
        tenant,
        task,
        attempt,
        fence,
        node: name,
        revision: ++revision,
        ...nothing,
        logs,
        ...facts,
      };
      await nats.js.publish(subjects.report({ node: name, task }), JSON.stringify(report));
    },
    beat: () => ask(subjects.beat({ node: name }), { node: name, observed: [], partial: false }),
    fallSilent: () => clearInterval(timer),
  };
}
