import { createHash } from "node:crypto";
import { callsModel, programOf } from "../../domain/spec/programOf.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { isPlaced, type Who } from "../../domain/task/taskState.ts";
import { CaziError, Rejection, Retryable } from "../../kernel/errors.ts";
import type { Workload } from "../artifacts/publishArtifact.ts";
import { rateLimited } from "../http/admit.ts";
import type { ApiPorts } from "../ports.ts";
import { askProvider, type Provider, type ProviderAnswer } from "./askProvider.ts";
import type { CallRecords } from "./callRecords.ts";
import { modelAnswerMs } from "./limits.ts";

export interface ModelPorts extends Pick<ApiPorts, "admission" | "clock" | "ledger" | "log" | "stopping"> {
  readonly records: CallRecords;
  /** Null: no script is answered here. */
  readonly provider: (Provider & { readonly callsMax: number }) | null;
}

export interface Question {
  /** The address that the run was pinned to at its start. */
  readonly endpoint: string;
  readonly model: string;
  readonly input: string | readonly unknown[];
}

export interface ModelAnswer {
  /** As the model's own address answered. */
  readonly status: number;
  readonly retry_after_seconds: number | null;
  readonly text: string;
}

export interface ModelCalls {
  /** The same number of the same attempt is the same call; while it goes on, it is joined. */
  call(of: {
    readonly by: Workload;
    readonly number: number;
    readonly question: Question;
  }): Promise<ModelAnswer>;
}

/**
 * Calls of a model for scripts. The key is here and in no node; what is recorded is in the bucket before the model is asked,
 * so a call that nobody knows the outcome of is never made again.
 * @returns what throws Rejection `MODEL_NOT_OFFERED`, `MODEL_NOT_GRANTED`, `MODEL_ENDPOINT_CHANGED`, `MODEL_CALLS_EXCEEDED`,
 *   `MODEL_OUTCOME_UNKNOWN`, `MODEL_NO_ANSWER`, `MODEL_ANSWER_TOO_LARGE`, `IDEMPOTENCY_KEY_REUSED`, `STALE_FENCE`; Retryable `RATE_LIMITED`, `NATS_UNAVAILABLE`
 */
export function modelCalls(ports: ModelPorts): ModelCalls {
  const goingOn = new Map<string, { readonly sha256: string; readonly answer: Promise<ModelAnswer> }>();
  return {
    call({ by, number, question }) {
      const body = JSON.stringify({ model: question.model, input: question.input, store: false });
      const sha256 = sha256Of(`${question.endpoint}\n${body}`);
      const key = `${by.tenant} ${by.task} ${by.attempt} ${number}`;
      const same = goingOn.get(key);
      if (same?.sha256 === sha256) return same.answer;
      const answer = answerOf(ports, { by, number, question, body, sha256 });
      goingOn.set(key, { sha256, answer });
      const over = () => void (goingOn.get(key)?.answer === answer && goingOn.delete(key));
      answer.then(over, over);
      return answer;
    },
  };
}

interface Asked {
  readonly by: Workload;
  readonly number: number;
  readonly question: Question;
  readonly body: string;
  readonly sha256: string;
}

async function answerOf(ports: ModelPorts, asked: Asked): Promise<ModelAnswer> {
  const { clock, provider, records, stopping } = ports;
  const { by, number, question, body, sha256 } = asked;
  const who = await granted(ports, by);
  if (provider === null) throw notOffered();
  admit(ports, by, who);
  if (question.endpoint !== provider.url)
    throw new Rejection(
      "MODEL_ENDPOINT_CHANGED",
      "The model's address is another one than at the start of this run.",
    );
  if (number >= provider.callsMax) {
    const most = `An attempt may call a model ${provider.callsMax} times`;
    throw new Rejection("MODEL_CALLS_EXCEEDED", `${most}; the operator's setting is CAZI_MODEL_CALLS_MAX.`);
  }
  const { actor, accountable } = who;
  const { endpoint, model } = question;
  const request = { endpoint, model, request_bytes: Buffer.byteLength(body), request_sha256: sha256 };
  const settle = await records
    .begin({ ...by, number }, { at: clock.now(), actor, accountable, ...request })
    .catch((cause) => {
      if (cause instanceof CaziError) throw cause;
      throw new Retryable("NATS_UNAVAILABLE", "The call cannot be recorded, and is not made.", { cause });
    });
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(modelAnswerMs)]);
  const answer = await askProvider(provider, { body, signal });
  const outcome = { at: clock.now(), ...factsOf(answer) };
  const { tenant, task, attempt } = by;
  ports.log.info(
    { tenant, task, attempt, number, actor, accountable, ...request, ...outcome },
    "a script called a model",
  );
  await settle(outcome).catch((error) => {
    ports.log.warn({ error, task, number }, "what came of a call of a model is in this log alone");
  });
  return told(answer);
}

/** @throws Rejection `STALE_FENCE`, `MODEL_NOT_GRANTED` */
async function granted({ ledger }: ModelPorts, by: Workload): Promise<Who> {
  const [{ state }, first] = await Promise.all([ledger.load(by), ledger.first(by)]);
  if (!isPlaced(state) || state.fence !== by.fence || state.cancel !== null)
    throw new Rejection("STALE_FENCE", "The attempt is over or is to end, or a newer one goes on.");
  const spec =
    first !== null && "spec" in first.body ? (JSON.parse(first.body.spec) as Partial<WorkloadSpec>) : {};
  const program = programOf(spec);
  if (program === null || !callsModel(program))
    throw new Rejection("MODEL_NOT_GRANTED", "The task's spec does not name the tool model.call.");
  return state.who;
}

/** As a request of the task's own submitter; all calls of a task count as those of one token. */
function admit({ admission }: ModelPorts, { tenant, task }: Workload, who: Who): void {
  const principal = { tenant, actor: who.actor, accountable: who.accountable, role: "operator" as const };
  const admitted = admission.admit({ principal, token: `task:${task}`, route: "model", cost: 1 });
  if (!admitted.ok) throw rateLimited(admitted);
}

function factsOf(answer: ProviderAnswer) {
  if ("none" in answer) return { status: null, answer_bytes: 0, answer_sha256: null };
  const { status, text } = answer;
  return { status, answer_bytes: Buffer.byteLength(text), answer_sha256: sha256Of(text) };
}

function told(answer: ProviderAnswer): ModelAnswer {
  if (!("none" in answer)) {
    const { status, retryAfterSeconds, text } = answer;
    return { status, retry_after_seconds: retryAfterSeconds, text };
  }
  if (answer.none === "too_large")
    throw new Rejection("MODEL_ANSWER_TOO_LARGE", "The model's answer is larger than 4 MiB.");
  throw new Rejection("MODEL_NO_ANSWER", "The model gave no whole answer; nobody knows whether it worked.");
}

function notOffered(): Rejection {
  return new Rejection("MODEL_NOT_OFFERED", "This control plane asks no model for scripts.", {
    hint: "Its operator sets CAZI_MODEL_KEY, and CAZI_ARTIFACT_LISTEN for nodes to ask at.",
  });
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
