import type { QuickJSWASMModule } from "quickjs-emscripten-core";

export function loadBareEngine(): Promise<QuickJSWASMModule>;
export function evaluateBare(
  quickjs: QuickJSWASMModule,
  source: string,
  of: {
    readonly context: unknown;
    readonly onEvent: (event: unknown) => void;
    readonly onCall: (tool: string, args: unknown) => unknown;
  },
): void;
