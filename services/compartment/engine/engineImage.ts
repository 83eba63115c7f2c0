/**
 * The engine's memory as it is after the prelude, once for a process: a thread that is given it does not run the prelude
 * again. It is taken by a thread before that has any program, is never on a disk, and each thread gets a copy of its own.
 * What is in it is for the threads alone (sealedEngine.cjs).
 */
import type { EngineCode } from "./engineModule.ts";

type EngineImage = { readonly pages: Uint8Array };

/** Null: a thread was started, and there is no image yet. */
const images = new WeakMap<EngineCode, EngineImage | null>();

/** @returns an image; `take` when the thread is to take one; null for the first thread, which often is the only one */
export function imageForNextThread(code: EngineCode): EngineImage | "take" | null {
  const image = images.get(code);
  if (image !== undefined) return image ?? "take";
  images.set(code, null);
  return null;
}

export function keepImage(code: EngineCode, image: unknown): void {
  images.set(code, image as EngineImage);
}
