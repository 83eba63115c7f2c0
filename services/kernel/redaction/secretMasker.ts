/**
 * Masks secrets in a stream of bytes. Every byte of every occurrence becomes `*`, whatever else it is part of, so what is
 * masked does not depend on where reading began or how the stream was cut, as long as {@link SecretSet.reach} bytes before
 * are read as well. Pure.
 */

const STAR = 0x2a;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** Forms are found by their first bytes. */
const KEY_BYTES = 4;
/** What is left at the end and begins a secret is masked too when it is this long: a cap may have cut a secret in two. */
const BEGINNING_BYTES_MIN = 4;

/** Byte strings to look for, made once for many streams. */
export class SecretSet {
  readonly #byKey = new Map<number, Uint8Array[]>();
  /** Bit for each first two bytes of a form: most places are done with after one look. */
  readonly #firstTwo = new Uint8Array(0x10000);
  readonly #first = new Uint8Array(0x100);
  readonly #firstThree = new Set<number>();
  /** An occurrence begins at most so many bytes before its last byte. */
  readonly reach: number;

  constructor(forms: readonly Uint8Array[]) {
    let longest = 0;
    for (const form of forms) {
      if (form.length < KEY_BYTES) continue;
      longest = Math.max(longest, form.length);
      const key = keyAt(form, 0);
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), form]);
      this.#first[form[0]!] = 1;
      this.#firstTwo[(form[0]! << 8) | form[1]!] = 1;
      this.#firstThree.add((form[0]! << 16) | (form[1]! << 8) | form[2]!);
    }
    this.reach = Math.max(0, longest - 1);
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** Length of the longest form that is at this place, and whether a longer one may be once there are more bytes. */
  at(bytes: Uint8Array, place: number): { readonly length: number; readonly open: boolean } {
    const left = bytes.length - place;
    if (left < KEY_BYTES) return { length: 0, open: this.#mayBegin(bytes, place, left) };
    if (this.#firstTwo[(bytes[place]! << 8) | bytes[place + 1]!] === 0) return nothing;
    let length = 0;
    let open = false;
    for (const form of this.#byKey.get(keyAt(bytes, place)) ?? []) {
      const known = Math.min(form.length, left);
      if (!isSame(form, bytes, place, known)) continue;
      if (known === form.length) length = Math.max(length, known);
      else open = true;
    }
    return length === 0 && !open ? nothing : { length, open };
  }

  #mayBegin(bytes: Uint8Array, place: number, left: number): boolean {
    const [a = 0, b = 0, c = 0] = bytes.subarray(place);
    if (left === 1) return this.#first[a] === 1;
    if (left === 2) return this.#firstTwo[(a << 8) | b] === 1;
    return this.#firstThree.has((a << 16) | (b << 8) | c);
  }
}

const nothing = { length: 0, open: false } as const;

/** Of a task without connections. */
export const noSecrets = new SecretSet([]);

/** Bytes that are ready to be shown, and when they were read. */
export interface MaskedPart {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** One stream; give it each byte once, in order. */
export class SecretMasker {
  readonly #secrets: SecretSet;
  /** What may be the beginning of a secret, and how far it is masked already. */
  #held: MaskedPart[] = [];
  #heldBytes = 0;
  #maskedTo = 0;
  /** Bytes at the front of what is held that are there for their sequel alone. */
  #context = 0;

  constructor(secrets: SecretSet) {
    this.#secrets = secrets;
  }

  /** Bytes right before those that come: they are not given back, and a secret that begins in them is found. */
  prime(bytes: Uint8Array): void {
    if (this.#secrets.isEmpty) return;
    this.#context += bytes.length;
    this.push(bytes, 0);
  }

  /** @returns what can be told by now, masked, with the times given */
  push(bytes: Uint8Array, at: number): readonly MaskedPart[] {
    if (this.#secrets.isEmpty) return bytes.length === 0 ? [] : [{ bytes, at }];
    if (bytes.length === 0) return [];
    this.#held.push({ bytes, at });
    this.#heldBytes += bytes.length;
    return this.#scan(false);
  }

  /** There are no more bytes. */
  end(): readonly MaskedPart[] {
    return this.#heldBytes === 0 ? [] : this.#scan(true);
  }

  #scan(isEnd: boolean): readonly MaskedPart[] {
    const all = Buffer.concat(this.#held.map(({ bytes }) => bytes));
    let maskedTo = this.#maskedTo;
    let keepFrom = all.length;
    const masked = Buffer.from(all);
    for (let place = 0; place < all.length; place++) {
      const found = this.#secrets.at(all, place);
      if (found.length > 0) maskedTo = Math.max(maskedTo, place + found.length);
      if (found.open && isEnd && all.length - place >= BEGINNING_BYTES_MIN) maskedTo = all.length;
      if (found.open && !isEnd && place < keepFrom) keepFrom = place;
      if (place < maskedTo && !isLineEnd(all[place]!)) masked[place] = STAR;
    }
    this.#maskedTo = Math.max(0, maskedTo - keepFrom);
    return this.#release(masked, keepFrom);
  }

  /** Gives back the first `count` bytes, in parts as they came, without what was context. */
  #release(masked: Buffer, count: number): readonly MaskedPart[] {
    const ready: MaskedPart[] = [];
    const rest: MaskedPart[] = [];
    let from = 0;
    for (const { bytes, at } of this.#held) {
      const to = from + bytes.length;
      const begin = Math.min(Math.max(from, this.#context), to);
      const end = Math.min(to, Math.max(from, count));
      if (end > begin) ready.push({ bytes: masked.subarray(begin, end), at });
      if (end < to) rest.push({ bytes: bytes.subarray(end - from), at });
      from = to;
    }
    this.#held = rest;
    this.#heldBytes -= count;
    this.#context = Math.max(0, this.#context - count);
    return ready;
  }
}

function isLineEnd(byte: number): boolean {
  return byte === NEWLINE || byte === RETURN;
}

function keyAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

function isSame(form: Uint8Array, bytes: Uint8Array, place: number, length: number): boolean {
  for (let index = KEY_BYTES; index < length; index++) {
    if (form[index] !== bytes[place + index]) return false;
  }
  return true;
}
