/**
 * The lines of standard input, before a library reads them. What is no message is answered here as it is over HTTP: of
 * what is not JSON one library says nothing, and the other tells only the process that it is in.
 */
import { Transform } from "node:stream";
import { type Era, eraOf } from "./era.ts";
import { messageId } from "./messageId.ts";

/** Says what is wrong with JSON that is no message, or null. */
export type MessageCheck = (message: unknown) => string | null;

export interface MessageGate {
  /** Gives the lines that are messages, each in one piece. */
  readonly lines: Transform;
  /** Known with the first line that is JSON. */
  readonly era: Promise<Era>;
}

/** A longer line is no message: whatever reads the lines refuses it. As the libraries have it. */
const lineBytesMax = 10 * 1024 * 1024;

const newline = 10;

/**
 * @param of.checkOf of the library that will read the lines
 * @param of.answer takes a message for the client
 */
export function createMessageGate(of: {
  readonly checkOf: (era: Era) => Promise<MessageCheck>;
  readonly answer: (message: object) => void;
}): MessageGate {
  let opens: (era: Era) => void = () => undefined;
  const era = new Promise<Era>((resolve) => {
    opens = resolve;
  });
  let check: Promise<MessageCheck> | null = null;
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  const refuse = (code: number, message: string, id: string | number | null = null) =>
    of.answer({ jsonrpc: "2.0", id, error: { code, message } });

  /** True for a line to pass on. */
  async function isMessage(line: string): Promise<boolean> {
    if (line.trim() === "") return false;
    const message = parsed(line);
    if (message === undefined) {
      refuse(-32_700, "The line is not JSON.");
      return false;
    }
    if (check === null) {
      const opened = eraOf(message);
      check = of.checkOf(opened);
      opens(opened);
    }
    const wrong = Array.isArray(message) ? "A line holds one message, no batch." : (await check)(message);
    if (wrong !== null) refuse(-32_600, wrong, messageId(message));
    return wrong === null;
  }

  async function take(bytes: Buffer, lines: Transform): Promise<void> {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      const line = Buffer.concat([...pieces, bytes.subarray(start, end + 1)]);
      [pieces, heldBytes, start] = [[], 0, end + 1];
      if (await isMessage(line.toString())) lines.push(line);
    }
    pieces.push(bytes.subarray(start));
    heldBytes += bytes.length - start;
    if (heldBytes <= lineBytesMax) return;
    opens("2025");
    lines.push(Buffer.concat(pieces));
    [pieces, heldBytes] = [[], 0];
  }

  const lines = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      take(bytes, this).then(() => done(), done);
    },
  });
  return { lines, era };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
