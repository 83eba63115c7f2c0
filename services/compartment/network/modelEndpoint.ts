/** `model.call`: one question to the model of the provider that the operator named. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import type { NamedEndpoint } from "./namedEndpoint.ts";

export const MODEL_PROVIDERS = ["openai.responses"] as const;

export const modelCall: NamedEndpoint = {
  tool: "model.call",
  pinned: "api.openai.com",
  members: { id: "string", model: "string?", input: "any?" },
  args: "{id, model?, input?}",
  result: "{id, model, output_text, usage}",
  // It costs, and the answer is another one each time: after a crash a person says what came of it.
  repeatable: false,
  fault: () => null,
  ask: ({ model, input }) => ({
    method: "POST",
    path: "",
    headers: { "content-type": "application/json" },
    body: { model: model ?? null, input: input ?? null, store: false },
  }),
  shape: ({ id }, answer) => (isJsonObject(answer) ? responseOf(id!, answer) : null),
};

/** A live call needs what a fixture does not. */
export function liveModelFault({ model, input }: JsonObject): string | null {
  if (model === undefined) return "model is missing: a live call names it.";
  return typeof input === "string" || Array.isArray(input) ? null : "input must be a text or a list.";
}

function responseOf(id: JsonValue, answer: JsonObject): JsonObject | null {
  if (!Array.isArray(answer.output)) return null;
  const texts = answer.output.flatMap((item: JsonValue) => {
    const content = isJsonObject(item) && Array.isArray(item.content) ? item.content : [];
    return content.flatMap((part: JsonValue) =>
      isJsonObject(part) && part.type === "output_text" && typeof part.text === "string" ? [part.text] : [],
    );
  });
  return { id, model: answer.model ?? null, output_text: texts.join(""), usage: answer.usage ?? null };
}
