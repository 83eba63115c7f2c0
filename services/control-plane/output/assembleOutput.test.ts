import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { LogChunk } from "../../kernel/logs/logSource.ts";
import { OutputAssembler } from "./assembleOutput.ts";
import { FirstEntries } from "./logEntryPages.ts";
import { logStart, parsePosition } from "./logPosition.ts";
import { anyLine, Sieve } from "./sieve.ts";

function chunk(over: Partial<Omit<LogChunk, "bytes">> & { text?: string; bytes?: Buffer }): LogChunk {
  const { text = "", bytes = Buffer.from(text), ...rest } = over;
  return {
    node: "n",
    attempt: 1,
    stream: "stdout",
    offset: 0,
    at: 0,
    dropped: null,
    pending: 0,
    seq: 1,
    ...rest,
    bytes,
  };
}

/** The bytes that entries of a stream stand for. */
function bytesOf(entries: readonly LogEntry[], stream: "stdout" | "stderr"): Buffer {
  return Buffer.concat(
    entries
      .filter((one) => one.stream === stream && one.type === "line")
      .map((one) => {
        const bytes = one.base64 === undefined ? Buffer.from(one.text) : Buffer.from(one.base64, "base64");
        return one.ending === "newline" ? Buffer.concat([bytes, Buffer.from("\n")]) : bytes;
      }),
  );
}

describe("assembling output", () => {
  it("gives each byte once when chunks come twice and overlap, and reads on from any position", () => {
    const pieces = fc.array(
      fc.record({
        stream: fc.constantFrom("stdout" as const, "stderr" as const),
        bytes: fc
          .uint8Array({ maxLength: 6 })
          .map((bytes) => Buffer.from(bytes.map((b) => (b % 5 === 0 ? 10 : b)))),
        back: fc.nat(4),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(pieces, fc.nat(60), (made, stop) => {
        const whole = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
        const chunks = made.map(({ stream, bytes, back }) => {
          const offset = Math.max(0, whole[stream].length - back);
          const again = whole[stream].subarray(offset);
          whole[stream] = Buffer.concat([whole[stream], bytes]);
          return chunk({ stream, offset, bytes: Buffer.concat([again, bytes]) });
        });
        const first = new OutputAssembler(logStart);
        const entries = [...chunks.flatMap((one) => first.take(one)), ...first.end()];
        expect(bytesOf(entries, "stdout").equals(whole.stdout)).toBe(true);
        expect(bytesOf(entries, "stderr").equals(whole.stderr)).toBe(true);

        const seen = entries.slice(0, stop % (entries.length + 1));
        const second = new OutputAssembler(parsePosition(seen.at(-1)?.position ?? "0.0.0")!);
        const rest = [...chunks.flatMap((one) => second.take(one)), ...second.end()];
        expect(bytesOf([...seen, ...rest], "stdout").equals(whole.stdout)).toBe(true);
        expect(bytesOf([...seen, ...rest], "stderr").equals(whole.stderr)).toBe(true);
      }),
    );
  });

  it("looks at no more lines of a chunk than are asked for", () => {
    let looked = 0;
    class Counting extends Sieve {
      override takesLine(...of: Parameters<Sieve["takesLine"]>): boolean {
        looked++;
        return super.takesLine(...of);
      }
    }
    const assembler = new OutputAssembler(logStart, { sieve: new Counting(anyLine) });
    const page = new FirstEntries(3);
    page.add(assembler.entriesOf(chunk({ text: "line\n".repeat(1_000) })));
    expect(page).toMatchObject({ full: true, position: { stdout: 15 } });
    // One more says that there is more.
    expect(looked).toBe(4);
  });

  it("keeps the streams' lines apart and in the order in which they ended", () => {
    const assembler = new OutputAssembler(logStart);
    const entries = [
      ...assembler.take(chunk({ text: "out" })),
      ...assembler.take(chunk({ stream: "stderr", text: "err\n" })),
      ...assembler.take(chunk({ offset: 3, text: "put\n" })),
    ];
    expect(entries.map((one) => [one.stream, one.text, one.position])).toEqual([
      ["stderr", "err", "1.0.4"],
      ["stdout", "output", "1.7.4"],
    ]);
  });

  it("reads a character over a chunk's border, and gives very bytes only where they are not UTF-8", () => {
    const assembler = new OutputAssembler(logStart);
    const euro = Buffer.from("€\n");
    const good = [
      ...assembler.take(chunk({ bytes: euro.subarray(0, 2) })),
      ...assembler.take(chunk({ offset: 2, bytes: euro.subarray(2) })),
    ];
    expect(good).toMatchObject([{ text: "€" }]);
    expect(good[0]).not.toHaveProperty("base64");
    const [bad] = assembler.take(chunk({ offset: 4, bytes: Buffer.from([0xff, 0x0a]) }));
    expect(bad).toMatchObject({ text: "\ufffd", base64: "/w==" });
  });

  it("gives of what is asked for the same lines and positions as one that gives all", () => {
    const letter = fc.constantFrom("a", "B", "b", "\n", "ß");
    fc.assert(
      fc.property(
        fc.array(fc.array(letter, { maxLength: 8 }), { maxLength: 12 }),
        fc.constantFrom("a", "ab", "bb", "ß"),
        fc.boolean(),
        (made, grep, ignoreCase) => {
          let offset = 0;
          const chunks = made.map((letters, at) => {
            const one = chunk({ offset, at, text: letters.join("") });
            offset += one.bytes.length;
            return one;
          });
          const wanted = { sinceMs: 2, untilMs: 9, grep, ignoreCase };
          const sifted = new OutputAssembler(logStart, { sieve: new Sieve(wanted) });
          const all = new OutputAssembler(logStart);
          const read = (by: OutputAssembler) => [...chunks.flatMap((one) => by.take(one)), ...by.end()];
          const holds = (text: string) =>
            ignoreCase ? text.toLowerCase().includes(grep.toLowerCase()) : text.includes(grep);
          const inTime = (time: string) => Date.parse(time) >= 2 && Date.parse(time) < 9;
          expect(read(sifted)).toEqual(read(all).filter((one) => holds(one.text) && inTime(one.time)));
          expect(sifted.position).toEqual(all.position);
        },
      ),
    );
  });

  it("tells of missing bytes, and of dropped ones, each once", () => {
    const assembler = new OutputAssembler(logStart);
    const dropped = chunk({ offset: 8, dropped: 100 });
    const entries = [
      ...assembler.take(chunk({ text: "a\n" })),
      ...assembler.take(chunk({ offset: 6, text: "b\n" })),
      ...assembler.take(dropped),
      ...assembler.take(dropped),
    ];
    expect(entries.map((one) => [one.type, one.text, one.dropped_bytes])).toEqual([
      ["line", "a", 0],
      ["gap", "", 4],
      ["line", "b", 0],
      ["truncated", "", 100],
    ]);
    const later = new OutputAssembler(parsePosition(entries.at(-1)!.position)!);
    expect(later.take(dropped)).toEqual([]);
    const end = { attempt: 1, stream: "stdout", stored: 8, dropped: 100, at: 0 } as const;
    expect(assembler.missingAtEnd(end)).toEqual([]);
  });

  it("tells of bytes that the end counted and nobody stored, of an attempt with none too, each once", () => {
    const assembler = new OutputAssembler(logStart);
    assembler.take(chunk({ text: "a\n" }));
    const end = { attempt: 1, stream: "stdout", stored: 8, dropped: 100, at: 0 } as const;
    const told = (entries: ReturnType<typeof assembler.end>) =>
      entries.map((one) => [one.attempt, one.type, one.dropped_bytes]);
    const entries = assembler.missingAtEnd(end);
    expect(told(entries)).toEqual([
      [1, "gap", 6],
      [1, "truncated", 100],
    ]);
    expect(assembler.missingAtEnd(end)).toEqual([]);
    expect(new OutputAssembler(parsePosition(entries.at(-1)!.position)!).missingAtEnd(end)).toEqual([]);
    expect(told(assembler.missingAtEnd({ ...end, attempt: 2, dropped: 0 }))).toEqual([[2, "gap", 8]]);
  });

  it("ends an attempt's lines when the next one begins, and leaves out what comes late of an older one", () => {
    const assembler = new OutputAssembler(logStart);
    const entries = [
      ...assembler.take(chunk({ text: "half" })),
      ...assembler.take(chunk({ attempt: 2, text: "again\n" })),
      ...assembler.take(chunk({ attempt: 1, offset: 4, text: "late\n" })),
    ];
    expect(entries.map((one) => [one.attempt, one.text, one.ending, one.position])).toEqual([
      [1, "half", "end", "1.4.0"],
      [2, "again", "newline", "2.6.0"],
    ]);
  });
});
