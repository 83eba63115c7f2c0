/** One value in the form that `-o` asks for. */

export const formats = ["table", "json", "jsonl", "yaml"] as const;
export type Format = (typeof formats)[number];

/**
 * @param of.items what `jsonl` gives a line each; the value itself where it is no list
 * @param of.table the form for people, made only when asked for
 */
export async function render(
  format: Format,
  of: { readonly value: unknown; readonly items?: readonly unknown[]; readonly table: () => string },
): Promise<string> {
  switch (format) {
    case "table":
      return of.table();
    case "json":
      return `${JSON.stringify(of.value, null, 2)}\n`;
    case "jsonl":
      return (of.items ?? [of.value]).map((item) => `${JSON.stringify(item)}\n`).join("");
    case "yaml": {
      const { stringify } = await import("yaml");
      return stringify(of.value);
    }
  }
}
