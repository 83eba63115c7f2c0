/**
 * The engine with the prelude run in it, ready for a program. A thread makes it step by step, or puts the image into a
 * fresh instance that an earlier thread of this process took at this very point: the memory holds all that the engine
 * knows. Beside it an instance has a stack pointer, which is at rest then, and a table of functions, which none of its
 * code changes. What the packages keep on this side is made anew either way.
 */
const { QuickJSFFI } = require("@jitl/quickjs-ng-wasmfile-release-sync/ffi");
const loadEmscripten = require("@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module");
const { newQuickJSWASMModuleFromVariant, newVariant, StaticLifetime } = require("quickjs-emscripten-core");

/** The stack that a program may use. Larger ones let finally-recursion run for seconds between two polls. */
const GUEST_STACK_BYTES = 128 * 1024;
/** Of an image; most of the memory was never written. */
const PAGE_BYTES = 4096;

/**
 * @param {object} of
 * @param {WebAssembly.Module} of.wasmModule
 * @param {WebAssembly.Memory} of.memory not used before
 * @param {number} of.bytesMax what the engine may allocate
 * @param {string} of.preludeText
 * @param {(op: string, a: string, b: string) => string} of.host the one function of the host
 * @param {any} of.image null: made step by step
 */
async function createSealedEngine({ wasmModule, memory, bytesMax, preludeText, host, image }) {
  const pointers = { ...image?.pointers };
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variantWith(pointers), { wasmModule, wasmMemory: memory, log() {} }),
  );
  if (image !== null) putPages(memory, image);
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(GUEST_STACK_BYTES);
  runtime.setMemoryLimit(bytesMax);
  const vm = runtime.newContext();
  answerHostCalls(quickjs, memory, host);
  const surface = image === null ? runPrelude(vm, preludeText) : surfaceOf(image);
  return { runtime, vm, surface, takeImage: () => takeImage(memory, pointers, surface) };
}

/** The package in one form of module only: with two, a thread starts a second loader. It notes what it makes, or is told. */
function variantWith(pointers) {
  class NotingFFI extends QuickJSFFI {
    constructor(module) {
      super(module);
      const { QTS_NewRuntime, QTS_NewContext } = this;
      this.QTS_NewRuntime = () => (pointers.runtime ??= QTS_NewRuntime());
      this.QTS_NewContext = (...of) => (pointers.context ??= QTS_NewContext(...of));
    }
  }
  return { type: "sync", importFFI: async () => NotingFFI, importModuleLoader: async () => loadEmscripten };
}

/**
 * In place of the package's own way from the engine to a function of the host, which is made for any function and value and
 * takes several times as long as the rest of a call. There is one such function; it takes three texts and gives one.
 */
function answerHostCalls({ module, ffi }, memory, host) {
  const textOf = (context, argv, index) => {
    const start = ffi.QTS_GetString(context, ffi.QTS_ArgvGetJSValueConstPointer(argv, index));
    if (start === 0) throw new RangeError("the engine has no memory for a question");
    const bytes = Buffer.from(memory.buffer, start);
    const text = bytes.toString("utf8", 0, bytes.indexOf(0));
    ffi.QTS_FreeCString(context, start);
    return text;
  };
  module.callbacks.callFunction = (_asyncify, context, _self, _argc, argv) => {
    const answer = host(textOf(context, argv, 0), textOf(context, argv, 1), textOf(context, argv, 2));
    const size = Buffer.byteLength(answer) + 1;
    const start = module._malloc(size);
    if (start === 0) throw new RangeError("the engine has no memory for an answer");
    const bytes = Buffer.from(memory.buffer, start, size);
    bytes[bytes.write(answer)] = 0;
    const value = ffi.QTS_NewString(context, start);
    module._free(start);
    return value;
  };
}

function runPrelude(vm, preludeText) {
  const prelude = vm.unwrapResult(vm.evalCode(preludeText, "cazi:prelude", { type: "global" }));
  const parts = vm.unwrapResult(
    vm.callFunction(
      prelude,
      vm.undefined,
      vm.newFunction("host", () => undefined),
    ),
  );
  const part = (name) => vm.getProp(parts, name);
  return {
    begin: part("begin"),
    deliver: part("deliver"),
    describe: part("describe"),
    authority: part("authority"),
  };
}

function surfaceOf(image) {
  const parts = Object.entries(image.surface);
  return Object.fromEntries(parts.map(([name, pointer]) => [name, new StaticLifetime(pointer)]));
}

/** @returns what {@link createSealedEngine} takes; plain data */
function takeImage(memory, pointers, surface) {
  const all = Buffer.from(memory.buffer);
  const untouched = Buffer.alloc(PAGE_BYTES);
  const at = [];
  for (let from = 0; from < all.length; from += PAGE_BYTES) {
    if (all.compare(untouched, 0, PAGE_BYTES, from, from + PAGE_BYTES) !== 0) at.push(from);
  }
  const pages = new Uint8Array(at.length * PAGE_BYTES);
  for (const [n, from] of at.entries()) pages.set(all.subarray(from, from + PAGE_BYTES), n * PAGE_BYTES);
  const parts = Object.entries(surface);
  return {
    at,
    pages,
    pointers: { ...pointers },
    surface: Object.fromEntries(parts.map(([name, handle]) => [name, handle.value])),
  };
}

/** The rest of a memory that was not used before is zeros, but for the engine's constants, which are in the image. */
function putPages(memory, { at, pages }) {
  const all = new Uint8Array(memory.buffer);
  for (const [n, to] of at.entries()) all.set(pages.subarray(n * PAGE_BYTES, (n + 1) * PAGE_BYTES), to);
}

module.exports = { createSealedEngine };
