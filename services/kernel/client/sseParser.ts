/** Server-sent events from text that arrives in any pieces (WHATWG HTML, section 9.2.6). */

export interface SseMessage {
  /** The last `id` seen so far on this connection; null before the first. */
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** A line that never ends would fill the memory: longer than any log entry is a broken server. */
const lineCharsMax = 4 * 1024 * 1024;

/**
 * @returns a function that takes the next piece of text and gives the messages it completes
 */
export function createSseParser(): (piece: string) => SseMessage[] {
  let rest = "";
  let id: string | null = null;
  let event = "";
  let data: string[] = [];

  function takeLine(line: string): SseMessage | null {
    if (line === "") {
      const message = data.length === 0 ? null : { id, event: event || "message", data: data.join("\n") };
      event = "";
      data = [];
      return message;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") data.push(value);
    else if (field === "event") event = value;
    else if (field === "id" && !value.includes("\0")) id = value;
    return null;
  }

  return (piece) => {
    rest += piece;
    const messages: SseMessage[] = [];
    let from = 0;
    for (;;) {
      const end = lineEnd(rest, from);
      if (end === null) break;
      const message = takeLine(rest.slice(from, end.at));
      if (message !== null) messages.push(message);
      from = end.next;
    }
    rest = rest.slice(from);
    if (rest.length > lineCharsMax) throw new Error(`a line of more than ${lineCharsMax} characters`);
    return messages;
  };
}

/** A CR at the very end may be half of a CRLF: it is left for the next piece. */
function lineEnd(text: string, from: number): { at: number; next: number } | null {
  const newline = text.indexOf("\n", from);
  const until = newline === -1 ? text.length : newline;
  const carriage = text.slice(from, until).indexOf("\r");
  if (carriage === -1) return newline === -1 ? null : { at: newline, next: newline + 1 };
  const at = from + carriage;
  if (at === text.length - 1) return null;
  return { at, next: text[at + 1] === "\n" ? at + 2 : at + 1 };
}
