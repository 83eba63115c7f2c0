/** A comparison for people. Pure. */
import type { Comparison, OutputDifference, StreamComparison } from "../../../schemas/api/comparison.ts";
import { shown } from "./table.ts";

export function comparisonText(comparison: Comparison): string {
  const { task, with: other, same, outcome, stdout, stderr } = comparison;
  const lines = [
    same ? `same: ${task} did what ${other} did` : `different: ${task} did not do what ${other} did`,
    `  outcome  ${outcome.same ? "same" : "different"}: ${ended(outcome.task)}${
      outcome.same ? "" : `, was ${ended(outcome.with)}`
    }`,
    ...streamLines("stdout", stdout),
    ...streamLines("stderr", stderr),
  ];
  if (!comparison.same_spec) lines.push("  the two have different specs");
  if (!comparison.same_image)
    lines.push("  the two ran different images, or it is not known that they are one");
  return `${lines.join("\n")}\n`;
}

function ended({ status, exit_code, signal, reason }: Comparison["outcome"]["task"]): string {
  if (exit_code !== null) return `${status}, exit code ${exit_code}`;
  if (signal !== null) return `${status}, signal ${signal}`;
  return reason === null ? status : `${status}, ${reason}`;
}

function streamLines(name: string, stream: StreamComparison): readonly string[] {
  const { same, bytes, dropped_bytes, first_difference } = stream;
  const count = bytes.task === bytes.with ? `${bytes.task} bytes` : `${bytes.task} bytes, was ${bytes.with}`;
  const head = `  ${name}   ${same ? "same" : "different"}: ${count}`;
  const { task, with: other } = dropped_bytes;
  const dropped = task === other ? [] : [`    ${task} bytes were not kept, was ${other}`];
  return [head, ...dropped, ...(first_difference === null ? [] : differenceLines(first_difference))];
}

/** As a diff has it: minus is what was, plus is what is now. */
function differenceLines({
  offset,
  line,
  excerpt_offset,
  task,
  with: other,
}: OutputDifference): readonly string[] {
  const isText = task.text !== null && other.text !== null;
  const one = (sign: string, side: OutputDifference["task"]) => {
    const what = isText ? JSON.stringify(side.text).slice(1, -1) : spaced(side.hex);
    return `    ${sign} ${shown(what === "" ? "(nothing)" : what)}${side.ended ? "" : " ..."}`;
  };
  const where = isText ? "" : `, shown as hex from byte ${excerpt_offset}`;
  return [`    first difference at byte ${offset}, line ${line}${where}`, one("-", other), one("+", task)];
}

function spaced(hex: string): string {
  return hex.replace(/(..)(?=.)/g, "$1 ");
}
