import type { ProcessIdentity } from "./processIdentity.mjs";

export function tryLock(path: string): { release: () => void } | { heldBy: ProcessIdentity };
export function waitForLock(path: string, options: { waitMs: number }): Promise<{ release: () => void }>;
