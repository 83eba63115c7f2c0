/** What is wrong with the words of a command that are no flags, as a sentence; null when nothing is. Pure. */
import type { AgentCommand } from "./agentIo.ts";

/** @param words in the order given */
export function wordsFault(
  { name, usage, positionals: [min, max] }: Pick<AgentCommand, "name" | "usage" | "positionals">,
  words: readonly string[],
): string | null {
  const what = wordsFaultOf(usage.match(/<[^>]+>|\[[^\]]+\]/g) ?? [], { min, max }, words);
  return what === null ? null : `${what} Usage: cazi agent ${`${name} ${usage}`.trimEnd()}`;
}

function wordsFaultOf(
  names: readonly string[],
  { min, max }: { readonly min: number; readonly max: number },
  words: readonly string[],
): string | null {
  const empty = words.indexOf("");
  if (words.length > max) return `${JSON.stringify(words[max])} is one word too many.`;
  if (empty !== -1) return `${names[empty] ?? "A word"} is empty.`;
  if (words.length >= min) return null;
  const missing = names.slice(words.length, min);
  return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing.`;
}
