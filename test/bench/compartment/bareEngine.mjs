/**
 * The control of `compartment`: the same engine as it comes, with two host functions and nothing else: no thread, no
 * seal, no budget, no record. As a program it evaluates the file that is its argument, as a user of the package would.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";

/** @returns {Promise<import("quickjs-emscripten-core").QuickJSWASMModule>} */
export const loadBareEngine = () => newQuickJSWASMModuleFromVariant(variant);

/**
 * Evaluates a source in a context of its own.
 * @param {import("quickjs-emscripten-core").QuickJSWASMModule} quickjs
 * @param {string} source
 * @param {object} of
 * @param {unknown} of.context
 * @param {(event: unknown) => void} of.onEvent
 * @param {(tool: string, args: unknown) => unknown} of.onCall
 */
export function evaluateBare(quickjs, source, { context, onEvent, onCall }) {
  const vm = quickjs.newContext();
  /** @param {string} text */
  const asValue = (text) => vm.unwrapResult(vm.evalCode(`(${text})`));
  vm.newFunction("emit", (event) => onEvent(vm.dump(event))).consume((emit) =>
    vm.setProp(vm.global, "emit", emit),
  );
  vm.newFunction("callTool", (tool, args) =>
    asValue(JSON.stringify(onCall(vm.getString(tool), vm.dump(args)))),
  ).consume((callTool) => vm.setProp(vm.global, "callTool", callTool));
  asValue(JSON.stringify(context)).consume((value) => vm.setProp(vm.global, "context", value));
  vm.unwrapResult(vm.evalCode(source)).dispose();
  vm.dispose();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  evaluateBare(await loadBareEngine(), readFileSync(process.argv[2] ?? "", "utf8"), {
    context: { goal: "summarize" },
    onEvent: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
    onCall: (_tool, args) => args,
  });
}
