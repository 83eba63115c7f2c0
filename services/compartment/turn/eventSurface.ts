/** `emit`, `auditNote`, `auditControls`, `close`. */

import { answerFailure, answerNothing, answerValue } from "../membrane/answers.ts";
import { byteLength, JSON_DEPTH_MAX, type JsonObject, jsonDepth, plainCopy } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import { refuseBudget, refuseClosed, type TurnState } from "./turnState.ts";

export function answerEmit(turn: TurnState, text: string): string {
  const refused = refuseClosed(turn, "emit");
  if (refused !== null) return refused;
  const limit = turn.budgets.max_events;
  if (turn.events >= limit) {
    return refuseBudget(turn, { budget: "events", limit, attempted: turn.events + 1 });
  }
  const tooLarge = refuseText(turn, text, "event_bytes");
  if (tooLarge !== null) return tooLarge;
  turn.events++;
  const question = turn.journal?.position();
  const event = turn.redactor.record(plainCopy(JSON.parse(text)) as JsonObject);
  const isNew = !turn.journal?.recorded("event");
  if (isNew) {
    turn.log.append("event", { event, event_bytes: byteLength(text), event_sha256: sha256(text), question });
  }
  const record = (fields: JsonObject) => turn.log.append("schema_validation", { ...fields, question });
  const isJudged = turn.journal?.recorded("schema_validation");
  turn.expected.check(JSON.parse(text) as JsonObject, isJudged ? null : record);
  if (isNew) turn.onEvent(event);
  return answerNothing;
}

export function answerNote(turn: TurnState, text: string): string {
  const refused = refuseClosed(turn, "auditNote") ?? refuseText(turn, text, "audit_note_bytes");
  if (refused !== null) return refused;
  turn.log.append("audit_note", { note: plainCopy(JSON.parse(text)), note_bytes: byteLength(text) });
  return answerNothing;
}

export function answerControls(turn: TurnState): string {
  const refused = refuseClosed(turn, "auditControls");
  if (refused !== null) return refused;
  turn.log.append("audit_controls", { controls: turn.controls });
  return answerValue(JSON.stringify(turn.controls));
}

/** Revokes every surface for the rest of the turn; closing twice is one revocation and one denial. */
export function answerClose(turn: TurnState): string {
  const refused = refuseClosed(turn, "close");
  if (refused !== null) return refused;
  turn.closed = true;
  turn.log.append("revocation", { reason: "closed" });
  return answerNothing;
}

function refuseText(
  turn: TurnState,
  text: string,
  budget: "event_bytes" | "audit_note_bytes",
): string | null {
  const limit = turn.budgets.max_event_bytes;
  const attempted = byteLength(text);
  if (attempted > limit) return refuseBudget(turn, { budget, limit, attempted });
  return jsonDepth(text) > JSON_DEPTH_MAX ? tooDeep : null;
}

export const tooDeep = answerFailure({
  name: "RangeError",
  message: `JSON that crosses is at most ${JSON_DEPTH_MAX} levels deep`,
  code: "JSON_TOO_DEEP",
});
