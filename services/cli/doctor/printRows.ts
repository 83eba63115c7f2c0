/** The rows for people: by section, in 80 columns. Pure. */
import type { Row, RowStatus } from "./row.ts";
import { rowCatalogue, type Section, sections } from "./rowCatalogue.ts";

const WIDTH = 80;
const marks: Readonly<Record<RowStatus, string>> = {
  ok: "ok",
  warn: "warn",
  fail: "FAIL",
  not_enforced: "open",
  unknown: "?",
};
const MARK = 4;
const NAME = Math.max(...Object.keys(rowCatalogue).map((id) => id.length));
/** Two spaces, the mark, two spaces, the name, two spaces. */
const INDENT = 2 + MARK + 2 + NAME + 2;

export function printRows(rows: readonly Row[]): string {
  const parts = (Object.keys(sections) as Section[]).flatMap((section) => {
    const own = rows.filter((row) => row.section === section);
    return own.length === 0 ? [] : [`${sections[section]}\n${own.map(printRow).join("")}`];
  });
  return `${parts.join("\n")}\n${closing(rows)}`;
}

function printRow({ id, status, found, next }: Row): string {
  const head = `  ${marks[status].padEnd(MARK)}  ${id.padEnd(NAME)}  `;
  const lines = [...wrap(visible(found), WIDTH - INDENT)];
  if (next !== null) lines.push(...wrap(visible(`> ${next}`), WIDTH - INDENT));
  return lines
    .map((line, at) => `${at === 0 ? head : " ".repeat(INDENT)}${line}`.trimEnd())
    .join("\n")
    .concat("\n");
}

function closing(rows: readonly Row[]): string {
  const count = (status: RowStatus) => rows.filter((row) => row.status === status).length;
  const said = [
    [count("fail"), "failing"],
    [count("warn"), "could be stronger"],
    [count("not_enforced"), "open: not enforced here"],
    [count("unknown"), "not looked at"],
  ] as const;
  const parts = said.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${parts.length === 0 ? "All is well." : parts.join(", ")}\n`;
}

/** Control characters could move a terminal's cursor or change its title: they are shown, never sent. */
function visible(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => (/\s/.test(char) ? " " : "\ufffd"));
}

/** Breaks at spaces; a word that is longer than a line (a path) is cut. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  return line === "" ? lines : [...lines, line];
}
