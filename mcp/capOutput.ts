import type { TaskOutput } from "../schemas/api/taskOutput.ts";
import { fittingText } from "./capEntries.ts";

/**
 * A task's output that fits into `charsMax` characters of JSON: of text the beginning, of ndjson the first values,
 * of one JSON value too large its text's beginning in `text`. `truncated` says so. Pure.
 */
export function capOutput(output: TaskOutput, charsMax: number): TaskOutput {
  if (JSON.stringify(output).length <= charsMax) return output;
  const { value, text, ...frame } = output;
  const room = charsMax - JSON.stringify(frame).length;
  const shortened = { ...output, truncated: true };
  if (typeof value === "string") return { ...shortened, text: null, value: fittingText(value, room) };
  if (output.format === "ndjson" && Array.isArray(value)) {
    return { ...shortened, text: null, value: firstFitting(value, room) };
  }
  return { ...shortened, value: null, text: fittingText(text ?? JSON.stringify(value), room) };
}

function firstFitting(values: readonly unknown[], charsMax: number): unknown[] {
  let chars = 2;
  const end = values.findIndex((value) => {
    chars += JSON.stringify(value).length + 1;
    return chars > charsMax;
  });
  return end === -1 ? [...values] : values.slice(0, end);
}
