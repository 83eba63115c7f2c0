import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { loadEngine } from "./engineModule.ts";

interface Image {
  readonly at: readonly number[];
  readonly pages: Uint8Array;
}
type Engine = { readonly takeImage: () => Image };

const { createSealedEngine } = createRequire(import.meta.url)("./sealedEngine.cjs") as {
  createSealedEngine(of: object): Promise<Engine>;
};

const HEAP_PAGES = 1024;

async function engineFrom(image: Image | null, heapPages = HEAP_PAGES): Promise<Engine> {
  const { wasmModule, preludeText } = await loadEngine();
  const { Memory } = (
    globalThis as unknown as { WebAssembly: { Memory: new (of: object) => { buffer: ArrayBuffer } } }
  ).WebAssembly;
  const memory = new Memory({ initial: 256, maximum: heapPages });
  const host = () => '["u"]';
  return createSealedEngine({ wasmModule, memory, bytesMax: 32 * 1024 * 1024, preludeText, host, image });
}

/** How many bytes of the memory two engines have otherwise. */
function difference(one: Image, other: Image): number {
  const wholeOf = ({ at, pages }: Image) => {
    const whole = Buffer.alloc(256 * 65_536);
    for (const [n, to] of at.entries()) whole.set(pages.subarray(n * 4096, (n + 1) * 4096), to);
    return whole;
  };
  const [a, b] = [wholeOf(one), wholeOf(other)];
  return a.reduce((count, byte, index) => count + (byte === b[index] ? 0 : 1), 0);
}

/** The engine makes numbers of both clocks when it starts. */
beforeAll(() => {
  vi.spyOn(Date, "now").mockReturnValue(1_700_000_000_000);
  vi.spyOn(performance, "now").mockReturnValue(5);
});
afterAll(() => {
  vi.restoreAllMocks();
});

describe("an engine with the prelude run in it", () => {
  it("is to the byte the same in every thread", async () => {
    const [one, other] = [await engineFrom(null), await engineFrom(null)];
    expect(difference(one.takeImage(), other.takeImage())).toBe(0);
  });

  it("is the same from an image, but for one allocation of this side", async () => {
    const image = (await engineFrom(null)).takeImage();
    const again = (await engineFrom(image, 2 * HEAP_PAGES)).takeImage();
    expect(difference(image, again)).toBeLessThanOrEqual(16);
  });
});
