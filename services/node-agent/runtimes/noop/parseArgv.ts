/** What the no-op runtime does for an argv. */
export interface NoopProgram {
  readonly sleepMs: number;
  readonly exitCode: number;
  readonly stdout: string;
}

/**
 * Reads the tiny language of the no-op runtime, so that load and race tests need no spec of their own:
 * `["exit", "7"]`, `["sleep", "0.5"]` (seconds), `["echo", "a", "b"]`, `["fail", "2"]` (exits with 1 on the first
 * two attempts, then with 0). Anything else, `["sh", "-c", …]` included, exits with 0 at once: nothing is ever run.
 */
export function parseArgv(argv: readonly string[], attempt: number): NoopProgram {
  const [name, ...rest] = argv;
  if (name === "fail") return { sleepMs: 0, exitCode: attempt <= Number(rest[0] ?? 0) ? 1 : 0, stdout: "" };
  if (name === "exit") return { sleepMs: 0, exitCode: clampCode(Number(rest[0] ?? 0)), stdout: "" };
  if (name === "sleep") return { sleepMs: clampMs(Number(rest[0] ?? 0) * 1000), exitCode: 0, stdout: "" };
  if (name === "echo") return { sleepMs: 0, exitCode: 0, stdout: `${rest.join(" ")}\n` };
  return { sleepMs: 0, exitCode: 0, stdout: "" };
}

function clampCode(code: number): number {
  return Number.isInteger(code) && code >= 0 && code <= 255 ? code : 1;
}

function clampMs(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
