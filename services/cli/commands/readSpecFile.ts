import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import type { SpecText } from "../../kernel/client/apiClient.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { CliContext } from "../context.ts";

/** Above the server's own limit of 256 KiB, so that the server gives the reason; far below what hurts. */
const specBytesMax = 1024 * 1024;

/**
 * The spec in a file, or on standard input for `-`. A name ending in `.json` is sent as JSON, all else as YAML,
 * of which JSON is a part.
 * @throws Rejection `FILE_UNREADABLE`, `SPEC_TOO_LARGE`, `SPEC_SYNTAX` when it is no UTF-8 text
 */
export async function readSpecFile(context: Pick<CliContext, "stdin">, file: string): Promise<SpecText> {
  const source = file === "-" ? context.stdin : createReadStream(file);
  const bytes = await readCapped(source, file);
  if (!isUtf8(bytes)) throw new Rejection("SPEC_SYNTAX", `${nameOf(file)} is not UTF-8 text`);
  const mediaType = file.endsWith(".json") ? "application/json" : "application/yaml";
  return { text: bytes.toString("utf8"), mediaType };
}

async function readCapped(source: AsyncIterable<Uint8Array>, file: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of source) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > specBytesMax) break;
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Rejection("FILE_UNREADABLE", `${nameOf(file)} cannot be read: ${message}`, {
      cause: error,
      ...(code === "EISDIR" ? { hint: "A folder of `cazi agent` is run by `cazi run --project`." } : {}),
    });
  }
  if (size > specBytesMax) {
    throw new Rejection("SPEC_TOO_LARGE", `${nameOf(file)} has more than ${specBytesMax} bytes`);
  }
  return Buffer.concat(chunks);
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
