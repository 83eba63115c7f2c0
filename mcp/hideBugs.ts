import { type Answers, methods } from "./answers.ts";
import { ProtocolFailure } from "./protocolFailure.ts";

/** The same answers, which tell a caller nothing of a bug, and `onBug` all of it. */
export function hideBugs(answers: Answers, onBug: (error: unknown) => void): Answers {
  const hidden = methods.map((method) => {
    const answer: Answers[typeof method] = async (params, call) => {
      try {
        return await answers[method](params, call);
      } catch (error) {
        // A caller that left is not answered: what its leaving broke off is no bug.
        if (error instanceof ProtocolFailure || call.signal.aborted) throw error;
        onBug(error);
        throw new ProtocolFailure("internal", {
          code: "INTERNAL",
          message: "Something went wrong in the server; its log says what.",
          next_step: "Tell the person who runs Cazi; do not repeat the call unchanged.",
        });
      }
    };
    return [method, answer] as const;
  });
  return Object.fromEntries(hidden) as Answers;
}
