/** Every question that a program can ask, and who answers it. */
import type { Answer, Question } from "../engine/guestThread.ts";
import { answerNothing } from "../membrane/answers.ts";
import { answerClose, answerControls, answerEmit, answerNote } from "./eventSurface.ts";
import { answerImport } from "./moduleSurface.ts";
import { answerState } from "./stateSurface.ts";
import type { ToolCalls } from "./toolCalls.ts";
import type { TurnState } from "./turnState.ts";

export async function answerQuestion(
  turn: TurnState,
  calls: ToolCalls,
  [op, a, b]: Question,
): Promise<Answer> {
  switch (op) {
    case "emit":
      return { value: answerEmit(turn, a) };
    case "call": {
      const answer = await calls.call(a, b, { asPromise: false });
      return answer === null ? { held: true } : { value: answer };
    }
    case "invalid":
      calls.invalid(a, b);
      return { value: answerNothing };
    case "idle":
      return { value: await calls.nextCompletion() };
    case "import":
      return { value: answerImport(turn, a) };
    case "note":
      return { value: answerNote(turn, a) };
    case "controls":
      return { value: answerControls(turn) };
    case "close":
      return { value: answerClose(turn) };
    case "state_get":
    case "state_set":
    case "state_delete":
    case "state_list":
    case "state_reset":
      return { value: answerState(turn, op, a, b) };
    default:
      // Only the prelude asks, so this is a damaged engine, not a program's wish.
      throw new Error("the guest asked what the prelude cannot ask");
  }
}
