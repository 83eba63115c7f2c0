/** A tar writer whose output depends on its input alone: entries sorted, times zero, owner root. */

export type TarEntry =
  | { readonly name: string; readonly kind: "file"; readonly mode: number; readonly content: Uint8Array }
  | { readonly name: string; readonly kind: "folder"; readonly mode: number }
  | { readonly name: string; readonly kind: "symlink"; readonly target: string };

const blockBytes = 512;
const nameBytesMax = 100;
const typeFlags = { file: "0", symlink: "2", folder: "5" } as const;

/** @throws RangeError for a name or link target over 100 bytes */
export function tarArchive(entries: readonly TarEntry[]): Buffer {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const blocks = sorted.flatMap((entry) => {
    const content = entry.kind === "file" ? Buffer.from(entry.content) : Buffer.alloc(0);
    return [header(entry, content.length), content, Buffer.alloc(padding(content.length))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

function padding(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

function header(entry: TarEntry, size: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  const target = entry.kind === "symlink" ? entry.target : "";
  for (const text of [entry.name, target]) {
    if (Buffer.byteLength(text) > nameBytesMax) throw new RangeError(`${text} is too long for a tar header`);
  }
  const mode = entry.kind === "symlink" ? 0o777 : entry.mode;
  block.write(entry.name, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(0, 11), 136);
  block.write("        ", 148);
  block.write(typeFlags[entry.kind], 156);
  block.write(target, 157);
  block.write("ustar\0" + "00", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
