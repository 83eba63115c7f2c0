/** What an interrupted bench still has to do: child processes end by themselves, folders and containers do not. */
const pending = new Set<() => Promise<void>>();

/** @returns how to forget it, once it was done in the ordinary way */
export function onInterrupt(cleanUp: () => Promise<void>): () => void {
  pending.add(cleanUp);
  return () => pending.delete(cleanUp);
}

/** Does all that is pending, newest first; what fails is left. */
export async function cleanUpAll(): Promise<void> {
  for (const cleanUp of [...pending].reverse()) await cleanUp().catch(() => {});
}
