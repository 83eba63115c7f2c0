/** The engine's code: read once, checked against the one that was reviewed, compiled once for all threads. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { InvariantViolation } from "../../kernel/errors.ts";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { sha256 } from "../membrane/sha256.ts";

/** quickjs-ng 0.12.1 in @jitl/quickjs-ng-wasmfile-release-sync 0.32.0. */
export const ENGINE_WASM_SHA256 = "b56fe5094b8751c47b8c32fb5ed4d75afe2dbb43412d3d983ac5d1156af456da";
export const ENGINE_NAME = "quickjs-ng 0.12.1 (wasm)";

/** The thread and the prelude are read from here also when this file is part of a bundle. */
const folder = join(projectRoot, "services/compartment/engine");
export const workerPath = join(folder, "guestWorker.cjs");
export const hostPath = join(folder, "guestHost.mjs");

export interface EngineCode {
  readonly wasmModule: WebAssembly.Module;
  /** For a process, which compiles for itself. */
  readonly wasmBytes: Uint8Array;
  readonly preludeText: string;
  /** SHA-256 over the engine's code and the prelude: what a job's re-execution depends on. */
  readonly sha256: string;
}

/** The type libraries of the project know the namespace only, not its functions. */
const { compile: compileWasm } = (
  globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> } }
).WebAssembly;

/**
 * The engine is compiled once, at the start, by V8's baseline compiler, and stays so. Left to itself V8 compiles each
 * function at its first call and goes on to optimize: the interpreter's one large function then counts down a budget at
 * every step, for seconds of its time, while other threads optimize. A program of 200,000 passes took 786 ms so, and
 * 137 ms this way; what runs for longer than some seconds takes a third to a half longer (ADR 0016). The flags hold for modules that are compiled
 * while they are set.
 */
const BASELINE_FLAGS = ["wasm-tier-up", "wasm-dynamic-tiering", "wasm-lazy-compilation"];
export const baselineArguments = BASELINE_FLAGS.map((flag) => `--no-${flag}`);

let code: Promise<EngineCode> | null = null;

export function loadEngine(): Promise<EngineCode> {
  code ??= compile();
  return code;
}

async function compile(): Promise<EngineCode> {
  const require = createRequire(join(folder, "guestWorker.cjs"));
  const bytes = readFileSync(require.resolve("@jitl/quickjs-ng-wasmfile-release-sync/wasm"));
  if (sha256(bytes) !== ENGINE_WASM_SHA256) {
    throw new InvariantViolation("the engine's code is not the one that this version was made for");
  }
  const preludeText = readFileSync(join(folder, "guestPrelude.js"), "utf8");
  return {
    wasmModule: await compileBaseline(bytes),
    wasmBytes: bytes,
    preludeText,
    sha256: sha256(ENGINE_WASM_SHA256 + sha256(preludeText)),
  };
}

async function compileBaseline(bytes: Uint8Array): Promise<WebAssembly.Module> {
  for (const flag of baselineArguments) setFlagsFromString(flag);
  try {
    return await compileWasm(bytes);
  } finally {
    for (const flag of BASELINE_FLAGS) setFlagsFromString(`--${flag}`);
  }
}
