/** What an executable says of itself, as far as the local image needs it. Pure. */

const elfMagic = 0x7f454c46;
const interpreterSegment = 3;
/** Machine numbers of ELF and the names that container engines use. */
const architectures: Readonly<Record<number, string>> = {
  3: "386",
  40: "arm",
  62: "amd64",
  183: "arm64",
  243: "riscv64",
};

export interface ElfProgram {
  readonly architecture: string;
  /** True when it needs no loader and no libraries. */
  readonly isStatic: boolean;
}

/** @returns null when `bytes` is not a little-endian ELF program of a known architecture */
export function elfProgram(bytes: Buffer): ElfProgram | null {
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== elfMagic || bytes[5] !== 1) return null;
  const wide = bytes[4] === 2;
  const architecture = architectures[bytes.readUInt16LE(18)];
  if (architecture === undefined) return null;
  const tableAt = wide ? Number(bytes.readBigUInt64LE(32)) : bytes.readUInt32LE(28);
  const entryBytes = bytes.readUInt16LE(wide ? 54 : 42);
  const entries = bytes.readUInt16LE(wide ? 56 : 44);
  if (tableAt + entries * entryBytes > bytes.length) return null;
  const segments = Array.from({ length: entries }, (_, at) => bytes.readUInt32LE(tableAt + at * entryBytes));
  return { architecture, isStatic: !segments.includes(interpreterSegment) };
}
