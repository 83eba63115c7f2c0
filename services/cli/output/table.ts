/** Text for people: columns and fields. Pure. */

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => string | number | boolean | null;
}

/** Rows under titles, parted by two spaces; the last column is not padded. */
export function table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const lines = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((c) => shown(c.cell(row)))),
  ];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => width(line[at] ?? ""))));
  return lines.map((line) => `${padded(line, widths)}\n`).join("");
}

/** One `name  value` a line. */
export function fields(
  pairs: readonly (readonly [string, string | number | boolean | null | undefined])[],
): string {
  const present = pairs.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const longest = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(longest)}  ${shown(value)}\n`).join("");
}

function padded(line: readonly string[], widths: readonly number[]): string {
  return line
    .map((cell, at) => (at === line.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - width(cell))))
    .join("  ")
    .trimEnd();
}

/** Control characters could move a terminal's cursor or change its title: they are shown, never sent. */
export function shown(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined || value === "") return "-";
  return String(value).replace(/\p{Cc}/gu, (char) => (/\s/.test(char) ? " " : "\ufffd"));
}

function width(text: string): number {
  return [...text].length;
}
