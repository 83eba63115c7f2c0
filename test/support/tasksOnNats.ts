/** Tasks on a test's NATS server: transitions, scheduler and reactor in this process, and nodes of the test's choice. */
import { randomUUID } from "node:crypto";
import { nodeRole } from "../../deploy/compose/roles/node.ts";
import { reactorRole } from "../../deploy/compose/roles/reactor.ts";
import type { Ground, RunningRole } from "../../deploy/compose/roles/role.ts";
import { schedulerRole } from "../../deploy/compose/roles/scheduler.ts";
import type { TaskEvent } from "../../schemas/taskEvents.ts";
import { startTransitions } from "../../services/control-plane/transitions/startTransitions.ts";
import { isRefusal, type Refusal } from "../../services/domain/refusal.ts";
import { readSpec } from "../../services/domain/spec/readSpec.ts";
import { terminalEventTypes } from "../../services/domain/task/taskEvent.ts";
import type { CarriedTask } from "../../services/domain/task/taskState.ts";
import { canonicalSpec } from "../../services/kernel/canonicalSpec.ts";
import { newId } from "../../services/kernel/ids.ts";
import type { TaskKey } from "../../services/kernel/ledger/taskLedger.ts";
import { subjects } from "../../streams/subjects.ts";
import { groundOnNats } from "./groundOnNats.ts";
import { identityOnNats } from "./identityOnNats.ts";
import { submitCommand } from "./ledgerOnNats.ts";
import { waitFor } from "./waitFor.ts";

export interface TasksOnNats {
  readonly ground: Ground;
  /** A task of the tenant `default`; `spec` as a caller sends it. */
  submit(spec: object): Promise<TaskKey>;
  /** Asks to cancel it and hints its node, as the API does. @returns the refusal's code, or null */
  cancel(key: TaskKey): Promise<string | null>;
  state(key: TaskKey): Promise<CarriedTask>;
  history(key: TaskKey): Promise<readonly TaskEvent[]>;
  /** Waits until it is so. @returns the state then */
  until(key: TaskKey, ...status: readonly CarriedTask["status"][]): Promise<CarriedTask>;
  /** Waits for its end, and that it has one end. @returns the state and the history */
  ended(key: TaskKey): Promise<{ readonly state: CarriedTask; readonly history: readonly TaskEvent[] }>;
  stop(): Promise<void>;
}

const deadlineMs = 45_000;
const terminal: ReadonlySet<string> = new Set(terminalEventTypes);

/** With one node agent, `local`, by the settings in `env`. */
export async function tasksOnNats(
  server: { readonly url: string; readonly credsFile: string },
  options: { readonly env: Readonly<Record<string, string>>; readonly instance: string },
): Promise<TasksOnNats> {
  const ground = await groundOnNats(server, options.env);
  const { claimLimitMs, startLimitMs, stopGraceMs } = ground.config;
  const stopTransitions = startTransitions({
    ...ground,
    ...(await identityOnNats(ground)),
    epoch: ground.feed.epoch,
    random: Math.random,
    ...{ claimLimitMs, startLimitMs, stopGraceMs },
  });
  const roles: RunningRole[] = [
    schedulerRole(ground),
    reactorRole(ground),
    await nodeRole(ground, options.instance),
  ];
  const { ledger, live, nats } = ground;

  const state = async (key: TaskKey) => (await ledger.load(key)).state as CarriedTask;
  const history = async (key: TaskKey) => (await ledger.history(key, 1_000)).map(({ event }) => event);
  return {
    ground,
    state,
    history,
    submit: async (spec) => {
      const read = readSpec({ image: "cazi/toolbox:latest", ...spec });
      if (isRefusal(read)) throw new Error(read.message);
      const key = { tenant: "default", task: newId(Date.now()) };
      const { timeout_seconds, max_retries } = read.spec;
      const limits = { ...submitCommand().limits, timeout_ms: timeout_seconds * 1000, max_retries };
      await ledger.execute(key, {
        ...submitCommand(canonicalSpec(read.spec).json),
        limits,
        id: randomUUID(),
      });
      return key;
    },
    cancel: async (key) => {
      const { who } = submitCommand();
      const command = { kind: "cancel", at: Date.now(), id: randomUUID(), who, reason: "a test" } as const;
      const done = await ledger.execute(key, command);
      if (isRefusal(done)) return (done as Refusal).code;
      if ("node" in done.state && done.state.node !== null) {
        nats.connection.publish(subjects.control({ node: done.state.node }));
      }
      return null;
    },
    until: (key, ...wanted) =>
      waitFor(
        `task ${key.task} to be ${wanted.join(" or ")}`,
        async () => {
          const now = live.tasks.get(key.task)?.state ?? (await state(key));
          return wanted.includes(now.status) ? now : null;
        },
        { deadlineMs },
      ),
    ended: async (key) => {
      await waitFor(`task ${key.task} to end`, () => live.tasks.hasEnded(key.task), { deadlineMs });
      const events = await history(key);
      const ends = events.filter(({ body }) => terminal.has(body.type));
      if (ends.length !== 1) throw new Error(`task ${key.task} has ${ends.length} ends`);
      return { state: events.at(-1)!.state as CarriedTask, history: events };
    },
    stop: async () => {
      await Promise.all(roles.map((role) => role.stop()));
      await stopTransitions();
      await ground.stop();
    },
  };
}
