/** Finds members that stand twice in one object: JSON.parse keeps the last one silently, a reviewer may read the first. */

/** JSON Pointers of repeated members; empty for text that is not JSON, which the parser reports. */
export function duplicateKeys(text: string): string[] {
  try {
    JSON.parse(text);
  } catch {
    return [];
  }
  const found: string[] = [];
  const open: { readonly keys: Set<string> | null; readonly pointer: string; name: string; index: number }[] =
    [];
  const strings = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  let pending: string | null = null;
  for (const [token] of text.matchAll(strings)) {
    const inner = open.at(-1);
    if (token === "{" || token === "[") {
      const pointer = inner === undefined ? "" : `${inner.pointer}/${inner.keys ? inner.name : inner.index}`;
      open.push({ keys: token === "{" ? new Set() : null, pointer, name: "", index: 0 });
    } else if (token === "}" || token === "]") open.pop();
    else if (token === "," && inner !== undefined) inner.index++;
    else if (token === ":" && inner?.keys && pending !== null) {
      const name = JSON.parse(pending) as string;
      if (inner.keys.has(name)) found.push(`${inner.pointer}/${name}`);
      inner.keys.add(name);
      inner.name = name;
    }
    pending = token.startsWith('"') ? token : null;
  }
  return found;
}
