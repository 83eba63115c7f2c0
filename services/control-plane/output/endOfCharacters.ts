/** Where the last whole character of UTF-8 text ends, in bytes. Pure. */
export function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
