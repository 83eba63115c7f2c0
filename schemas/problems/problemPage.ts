/** The page of a code, for people. Pure. */
import { problems, problemTitle } from "./catalogue.ts";

/** As Markdown, which reads well as it is; null for a code that there is none of. */
export function problemMarkdown(code: string): string | null {
  const entry = problems[code];
  if (entry === undefined) return null;
  const where = entry.status === null ? "No answer of the API has it." : `HTTP status ${entry.status}.`;
  return `# ${code}\n\n${problemTitle(code)}. ${where}\n\n## What it means\n\n${entry.means}\n\n## What to do\n\n${entry.todo}\n`;
}

/** All codes, each with what it means, as Markdown. */
export function problemIndexMarkdown(): string {
  const lines = Object.entries(problems).map(
    ([code, { status, means }]) =>
      `* [${code}](/problems/${code})${status === null ? "" : ` (${status})`}: ${means}\n`,
  );
  return `# Problems\n\nEvery stable code, with what it means. Each has a page that says what to do.\n\n${lines.join("")}`;
}
