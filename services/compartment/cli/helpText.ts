/** The help of one command: examples first, then its flags by group with what holds without them. Pure. */
import type { AgentCommand } from "./agentIo.ts";

export function helpText(command: AgentCommand): string {
  const lines = [
    "Examples:",
    ...command.examples.map((example) => `  cazi ${example}`),
    "",
    `Usage: cazi agent ${command.name} ${command.usage}${Object.keys(command.flags).length > 0 ? " [flags]" : ""}`,
    "",
    command.about,
  ];
  const groups = [...new Set(Object.values(command.flags).map(({ group }) => group))];
  for (const group of groups) {
    lines.push("", `${group}:`);
    for (const [name, rule] of Object.entries(command.flags)) {
      if (rule.group !== group) continue;
      const left = `  --${name}${rule.form === undefined ? "" : `=${rule.form}`}`;
      const fallback = rule.fallback === undefined ? "" : ` (default: ${rule.fallback})`;
      const repeat = rule.kind === "list" || rule.kind === "binding" ? "; may be repeated" : "";
      lines.push(`${left.padEnd(36)} ${rule.about}${repeat}${fallback}`);
    }
  }
  return `${lines.join("\n")}\n`;
}
