/** One event of a `text/event-stream`. Data is JSON, which has no line breaks of its own. */
export function sseEvent(of: {
  readonly event: string;
  readonly id?: string;
  readonly data: unknown;
}): string {
  const id = of.id === undefined ? "" : `id: ${of.id}\n`;
  return `event: ${of.event}\n${id}data: ${JSON.stringify(of.data)}\n\n`;
}

/** Keeps a connection open that has nothing to say. */
export const sseComment = ": still here\n\n";
