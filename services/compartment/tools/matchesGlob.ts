/** Relative globs: `*` and `?` inside a segment, `**` for any number of segments. Linear in each segment. */

export function matchesGlob(glob: string, path: string): boolean {
  return matchSegments(glob.split("/"), path.split("/"));
}

function matchSegments(globs: readonly string[], parts: readonly string[]): boolean {
  // reach[j]: the globs so far can match the first j parts.
  let reach = [true, ...parts.map(() => false)];
  for (const glob of globs) {
    const next = reach.map(() => false);
    for (let at = 0; at <= parts.length; at++) {
      if (!reach[at]) continue;
      if (glob === "**") for (let to = at; to <= parts.length; to++) next[to] = true;
      else if (at < parts.length && matchSegment(glob, parts[at]!)) next[at + 1] = true;
    }
    reach = next;
  }
  return reach[parts.length]!;
}

function matchSegment(glob: string, text: string): boolean {
  let reach = [true, ...[...text].map(() => false)];
  for (const char of glob) {
    const next = reach.map(() => false);
    [...reach.keys()].forEach((at) => {
      if (!reach[at]) return;
      if (char === "*") for (let to = at; to <= text.length; to++) next[to] = true;
      else if (at < text.length && (char === "?" || char === text[at])) next[at + 1] = true;
    });
    reach = next;
  }
  return reach[text.length]!;
}
