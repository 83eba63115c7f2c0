/** The id that an answer to a message carries: its own, or null where it has none that can be one. Pure. */
export function messageId(message: unknown): string | number | null {
  if (typeof message !== "object" || message === null || !("id" in message)) return null;
  const { id } = message;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as string | number) : null;
}
