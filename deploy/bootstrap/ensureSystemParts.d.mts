import type { SystemPart } from "./systemParts.mjs";

export function ensureSystemParts(
  parts: readonly SystemPart[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void>;
export function advice(part: SystemPart, platform: string, hasApt: boolean): string;
