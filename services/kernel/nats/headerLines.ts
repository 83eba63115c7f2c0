import { ErrorCode, type MsgHdrs, NatsError } from "nats";

/** A message's headers as the text that is sent. */
export class HeaderLines {
  #text = "";

  /** @throws NatsError `BAD_HEADER` for a value that would end its line */
  set(name: string, value: string): void {
    if (/[\r\n]/.test(value)) throw new NatsError("a header's value has a line break", ErrorCode.BadHeader);
    this.#text += `${name}: ${value}\r\n`;
  }

  encode(): Uint8Array {
    return Buffer.from(`NATS/1.0\r\n${this.#text}\r\n`);
  }
}

/**
 * Headers that are only sent. The client's own are a map that holds each new name against all before it, which for a
 * dozen costs more than the rest of a publish. Of headers a publish adds to and encodes them, and that is all these can.
 */
export function headersToSend(pairs: Iterable<readonly [string, string]>): MsgHdrs {
  const lines = new HeaderLines();
  for (const [name, value] of pairs) lines.set(name, value);
  return lines as unknown as MsgHdrs;
}
