import { type Figure, isMet } from "./figures.ts";
import type { MachineFacts } from "./machine.ts";

/** The figures as a table for a terminal; also valid Markdown. */
export function table(figures: readonly Figure[]): string {
  const header = ["figure", "value", "control", "ratio", "spread", "target", ""];
  const rows = figures.map((figure) => [
    figure.name,
    `${digits(figure.value)} ${figure.unit}`,
    figure.control === null ? "" : `${digits(figure.control.value)} (${figure.control.name})`,
    figure.ratio === null ? "" : digits(figure.ratio),
    spread(figure),
    targetText(figure),
    { true: "met", false: "MISSED", null: "" }[String(isMet(figure)) as "true" | "false" | "null"],
  ]);
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [
    line(header),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...rows.map(line),
  ].join("\n");
}

/** One line: on what, and how busy it was. */
export function machineLine(facts: MachineFacts): string {
  const { cores, cpu, memory_gb, os, node, nats, docker, commit, load_1_minute } = facts;
  return `${cores} cores (${cpu}), ${memory_gb} GB, ${os}, Node ${node}, ${nats}, Docker ${docker}, commit ${commit}, load ${load_1_minute}`;
}

/** Of the ratios where there is a control, else of the values. */
function spread({ rounds, ratio }: Figure): string {
  if (rounds.length < 2) return "";
  const values = rounds.map((one) => (ratio === null ? one.value : one.value / one.control!));
  return `${digits(Math.min(...values))} to ${digits(Math.max(...values))}`;
}

function targetText({ target, unit }: Figure): string {
  if (target === null) return "";
  const of = target.of === "ratio" ? "×" : ` ${unit}`;
  return `${target.is} ${target.value}${of}`;
}

function digits(value: number): string {
  if (!Number.isFinite(value)) return "?";
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
