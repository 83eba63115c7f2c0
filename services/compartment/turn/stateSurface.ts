/** `state`: a store of this turn only. It is written to the log at the end and forgotten; nothing carries over. */
import { answerNothing, answerValue } from "../membrane/answers.ts";
import {
  byteLength,
  JSON_DEPTH_MAX,
  type JsonObject,
  type JsonValue,
  jsonDepth,
  plainCopy,
} from "../membrane/jsonText.ts";
import { tooDeep } from "./eventSurface.ts";
import { refuseBudget, refuseClosed, type TurnState } from "./turnState.ts";

export function answerState(turn: TurnState, op: string, keyText: string, valueText: string): string {
  const refused = refuseClosed(turn, op.replace("_", "."));
  if (refused !== null) return refused;
  switch (op) {
    case "state_list":
      turn.log.append("state_list", { keys: turn.entries.size });
      return answerValue(JSON.stringify([...turn.entries.keys()]));
    case "state_reset":
      turn.entries.clear();
      turn.log.append("state_reset", {});
      return answerNothing;
    default:
      return answerKey(turn, op, JSON.parse(keyText) as string, valueText);
  }
}

function answerKey(turn: TurnState, op: string, key: string, valueText: string): string {
  switch (op) {
    case "state_get": {
      const value = turn.entries.get(key);
      turn.log.append("state_get", { key, found: value !== undefined });
      return value === undefined ? answerNothing : answerValue(JSON.stringify(value));
    }
    case "state_delete": {
      const found = turn.entries.delete(key);
      turn.log.append("state_delete", { key, found });
      return answerValue(String(found));
    }
    default:
      return setKey(turn, key, valueText);
  }
}

function setKey(turn: TurnState, key: string, text: string): string {
  if (jsonDepth(text) > JSON_DEPTH_MAX) return tooDeep;
  const limit = turn.budgets.max_state_bytes;
  // Text of the whole state with this member as it will be; measured before it is changed.
  const after = new Map(turn.entries).set(key, plainCopy(JSON.parse(text)));
  const attempted = byteLength(JSON.stringify(stateObject(after)));
  if (attempted > limit) return refuseBudget(turn, { budget: "state_bytes", limit, attempted });
  turn.entries.set(key, after.get(key)!);
  turn.log.append("state_set", { key, value_bytes: byteLength(text), state_bytes: attempted });
  return answerNothing;
}

/** The state as one JSON object; a key called `__proto__` is a key. */
export function stateObject(entries: ReadonlyMap<string, JsonValue>): JsonObject {
  const state: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of entries) state[key] = value;
  return state;
}
