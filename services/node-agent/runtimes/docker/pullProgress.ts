/** How far a pull is, from the lines of progress that the engine writes. Pure. */

/** Layers by their short id. A layer's size is known from its first byte on. */
export interface PullProgress {
  readonly layers: ReadonlyMap<string, Layer>;
  /** The engine's last word when the pull failed. */
  readonly error: string | null;
}

interface Layer {
  readonly bytes: number;
  readonly size: number;
  readonly done: boolean;
}

export const noProgress: PullProgress = { layers: new Map(), error: null };

/** More layers than any engine accepts: what comes beyond is not counted. */
const LAYERS_MAX = 512;
const WAITING: ReadonlySet<string> = new Set(["Pulling fs layer", "Waiting"]);
const FETCHED: ReadonlySet<string> = new Set(["Verifying Checksum", "Download complete", "Extracting"]);
const DONE: ReadonlySet<string> = new Set(["Pull complete", "Already exists"]);

/** The progress after one line; a line that says nothing of a layer, or is no JSON, changes nothing. */
export function afterLine(progress: PullProgress, line: string): PullProgress {
  const said = parsed(line);
  if (typeof said.error === "string") return { ...progress, error: said.error };
  const { id, status } = said;
  if (typeof id !== "string" || typeof status !== "string") return progress;
  const before = progress.layers.get(id);
  if (before === undefined && progress.layers.size >= LAYERS_MAX) return progress;
  const after = layerAfter(before, status, said.progressDetail ?? {});
  return after === null ? progress : { ...progress, layers: new Map(progress.layers).set(id, after) };
}

/** Sums over all layers seen so far. */
export function sumOf({ layers }: PullProgress) {
  const all = [...layers.values()];
  return {
    layers_done: all.filter((one) => one.done).length,
    layers_total: all.length,
    bytes_done: all.reduce((sum, one) => sum + one.bytes, 0),
    bytes_total: all.reduce((sum, one) => sum + one.size, 0),
  };
}

interface Line {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly error?: unknown;
  readonly progressDetail?: { readonly current?: unknown; readonly total?: unknown };
}

function parsed(line: string): Line {
  if (line.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Line) : {};
  } catch {
    return {};
  }
}

function layerAfter(before: Layer | undefined, status: string, detail: NonNullable<Line["progressDetail"]>) {
  const known = before ?? { bytes: 0, size: 0, done: false };
  if (status === "Downloading") {
    const bytes = count(detail.current);
    return { ...known, bytes, size: Math.max(known.size, count(detail.total), bytes) };
  }
  if (DONE.has(status)) return { ...known, bytes: known.size, done: true };
  // What is extracted counts the unpacked bytes: only that the download is whole can be told from it.
  if (FETCHED.has(status)) return { ...known, bytes: known.size };
  return WAITING.has(status) ? known : null;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
