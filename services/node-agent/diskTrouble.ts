/** Why the node takes no work, as a sentence, of a write that failed. */
export function diskTrouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `nothing can be written to the node's CAZI_HOME: ${code ?? message}`;
}
