/**
 * Bytes of `text` in UTF-8. A lone surrogate counts as the three bytes of its replacement. Counted here, not
 * by Buffer or TextEncoder: the domain runs anywhere, and nothing is allocated for a hostile text.
 */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    // A pair is two units and four bytes: both were counted, as three and one.
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) index += 1;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** True when `text` has more than `max` bytes in UTF-8; most texts are decided by their length alone. */
export function exceedsUtf8Bytes(text: string, max: number): boolean {
  if (text.length > max) return true;
  return text.length * 3 > max && utf8Bytes(text) > max;
}
