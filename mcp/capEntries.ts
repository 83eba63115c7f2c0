import type { LogEntry } from "../schemas/api/logEntry.ts";

/** An entry for an agent: no bytes in base64, and its text cut where it alone is too long. */
export type CappedEntry = Omit<LogEntry, "base64"> & { readonly text_truncated: boolean };

const lineCharsMax = 4_000;

/**
 * As many entries as fit into `charsMax` characters of JSON, but at least one: the first ones, or with
 * `keep: "last"` the last ones. Pure.
 */
export function capEntries(
  entries: readonly LogEntry[],
  options: { readonly charsMax: number; readonly keep: "first" | "last" },
): { readonly data: CappedEntry[]; readonly truncated: boolean } {
  const inOrder = options.keep === "first" ? entries : [...entries].reverse();
  const data: CappedEntry[] = [];
  let chars = 0;
  for (const entry of inOrder) {
    const capped = capEntry(entry);
    chars += JSON.stringify(capped).length + 1;
    if (chars > options.charsMax && data.length > 0) break;
    data.push(capped);
  }
  const truncated = data.length < entries.length || data.some((entry) => entry.text_truncated);
  return { data: options.keep === "first" ? data : data.reverse(), truncated };
}

function capEntry(entry: LogEntry): CappedEntry {
  const { base64: _, ...rest } = entry;
  const text = fittingText(entry.text, lineCharsMax);
  return { ...rest, text, text_truncated: text.length < entry.text.length };
}

/** The beginning of a text whose JSON has at most `charsMax` characters; never half of a surrogate pair. Pure. */
export function fittingText(text: string, charsMax: number): string {
  let cut = text.slice(0, charsMax);
  while (cut !== "" && JSON.stringify(cut).length > charsMax) {
    // Escapes make JSON longer than its text, at most six times: shrink by how much it is over.
    cut = cut.slice(0, Math.floor((cut.length * charsMax) / JSON.stringify(cut).length));
  }
  return /[\ud800-\udbff]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}
