/** Reads what a program is made of: bounded, strictly UTF-8, fingerprinted over the exact bytes. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Rejection } from "../../kernel/errors.ts";
import { sha256 } from "../membrane/sha256.ts";
import { fnv1a64 } from "./fnv1a64.ts";

const SOURCE_BYTES_MAX = 4 * 1024 * 1024;

export interface SourceFile {
  readonly text: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly fnv1a64: string;
}

/** @throws Rejection `INPUT_UNREADABLE`, `INPUT_TOO_LARGE`, `INPUT_NOT_UTF8` */
export function readSource(path: string): SourceFile {
  const bytes = readBytes(path);
  try {
    // The BOM stays: what is hashed is what is run.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, bytes: bytes.length, sha256: sha256(bytes), fnv1a64: fnv1a64(bytes) };
  } catch {
    throw new Rejection("INPUT_NOT_UTF8", `${path} is not valid UTF-8.`);
  }
}

/** @throws Rejection `INPUT_UNREADABLE`, `INPUT_TOO_LARGE` */
export function readBytes(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    throw new Rejection("INPUT_UNREADABLE", `${path} cannot be read.`, { cause: error });
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Rejection("INPUT_UNREADABLE", `${path} is not a file.`);
    if (stat.size > SOURCE_BYTES_MAX) throw new Rejection("INPUT_TOO_LARGE", `${path} is larger than 4 MiB.`);
    const bytes = Buffer.alloc(stat.size);
    const read = readSync(file, bytes, 0, stat.size, 0);
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}
