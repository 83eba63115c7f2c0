/**
 * Which of the two eras of the protocol a message is of. Since 2026-07-28 each request carries its version in its
 * `_meta`; before, a version was agreed on once, by `initialize`. Pure.
 */
export type Era = "2025" | "2026";

const versionKey = "io.modelcontextprotocol/protocolVersion";
const firstStateless = "2026-07-28";

/**
 * @param message one message, or a batch; anything else is of 2025, whose library says what is wrong with it
 * @param versionHeader `MCP-Protocol-Version`, where there are headers
 */
export function eraOf(message: unknown, versionHeader: string | null = null): Era {
  if (versionHeader !== null && versionHeader >= firstStateless) return "2026";
  const messages = Array.isArray(message) ? message : [message];
  return messages.some(carriesVersion) ? "2026" : "2025";
}

function carriesVersion(message: unknown): boolean {
  const params = member(message, "params");
  return member(member(params, "_meta"), versionKey) !== undefined;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
