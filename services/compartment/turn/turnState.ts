/** What one turn holds while it runs; shared by the surfaces of this folder, owned by runTurn. */
import type { AuditLog } from "../audit/auditLog.ts";
import type { Budgets } from "../budgets/budgets.ts";
import { answerFailure, type GuestFailure } from "../membrane/answers.ts";
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { Redactor } from "../membrane/redaction.ts";
import type { Tool } from "../tools/tool.ts";
import type { ApprovalGate } from "./approvalGate.ts";
import type { ExpectedEvents } from "./expectedEvents.ts";
import type { ModulePolicy } from "./moduleSurface.ts";

export interface TurnGrants {
  /** What the program may call. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly modules: ModulePolicy;
  readonly gate: ApprovalGate;
}

export interface TurnState {
  readonly log: AuditLog;
  readonly budgets: Budgets;
  readonly redactor: Redactor;
  readonly grants: TurnGrants;
  /** What `auditControls()` tells the program and the log. */
  readonly controls: JsonObject;
  readonly expected: ExpectedEvents;
  /** Called with each event as the log has it. */
  readonly onEvent: (event: JsonObject) => void;
  readonly entries: Map<string, JsonValue>;
  /** Of a job: what must be on the disk before and after an effect. Null in a run. */
  readonly journal: CallJournal | null;
  /** Of a run: calls that nobody has allowed yet. */
  readonly held: HeldCall[];
  closed: boolean;
  events: number;
  calls: number;
}

/** A call that waits for a person. */
export interface HeldCall {
  readonly tool: string;
  readonly approval_id: string;
}

/** A call whose effect is about to happen, or happened. */
export interface JournaledCall {
  readonly call: number;
  readonly tool: string;
  /** JSON text. */
  readonly args: string;
}

/** What is written of an event before the journal has it. */
export type RecordOfEvent = "event" | "schema_validation";

export interface CallJournal {
  /** Number of the question that is being answered, over the life of the job. */
  position(): number;
  /** True when the log of a tick that died has this record of the question already. */
  recorded(type: RecordOfEvent): boolean;
  intent(call: JournaledCall, repeatable: boolean): void;
  /** What a person said of a call whose outcome nobody knows; null when there is nothing said. */
  resolution(call: number): { readonly json: string } | { readonly failure: GuestFailure } | "retry" | null;
  /** The completion of a promise's call, before it is handed over. */
  result(call: number, completion: string): void;
}

/** Refuses a surface after `close()`, with its record; null while the surfaces are open. */
export function refuseClosed(turn: TurnState, surface: string): string | null {
  if (!turn.closed) return null;
  turn.log.append("revocation_denial", { surface, reason: "closed" });
  return answerFailure({
    name: "Error",
    message: `agent surface revoked: ${surface}`,
    code: "SURFACE_REVOKED",
  });
}

/** Records a breach of a counted budget and answers with the error that the guest may catch. */
export function refuseBudget(
  turn: TurnState,
  breach: {
    readonly budget: string;
    readonly limit: number;
    readonly attempted: number;
    readonly tool?: string;
  },
): string {
  turn.log.append("budget_exceeded", breach);
  return answerFailure(budgetFailure(breach.budget));
}

export function budgetFailure(budget: string) {
  return {
    name: "RangeError",
    message: `agent budget exceeded: ${budget}`,
    code: "BUDGET_EXCEEDED",
  } as const;
}
