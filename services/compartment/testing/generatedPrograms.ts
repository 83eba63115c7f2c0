/** Programs of every kind of end, by a seeded choice. */
const kinds = [
  (n: number) => `emit({ n: ${n} }); callTool("echo", { n: ${n} });`,
  (n: number) => `throw new Error("e${n}")`,
  () => "for (;;);",
  () => "const a = []; for (;;) a.push(new Array(1000).fill(1));",
  () => "const f = () => Promise.resolve().then(f); f();",
  () => "const f = () => f(); f();",
  (n: number) => `await new Promise(() => {}); ${n}`,
  () => "1 +",
  () => `await callTool("slow", { delay_ms: 1 }); close(); emit({});`,
  () => "globalThis.x = new ArrayBuffer(1 << 30)",
];

export const generatedFlags = [
  "--tool=echo",
  "--tool=slow",
  "--max-steps=50000",
  "--max-microtasks=200",
  "--max-heap-mb=32",
];

/** How such a program may end; null is a good end. */
export const generatedEnds: readonly (string | null)[] = [
  "exception",
  "memory_heap_exceeded",
  "microtask_budget_exceeded",
  "step_budget_exceeded",
  null,
];

export function* generatedPrograms(count: number): Generator<string> {
  let state = 12345;
  for (let n = 0; n < count; n++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    yield kinds[(state >>> 16) % kinds.length]!(n);
  }
}
