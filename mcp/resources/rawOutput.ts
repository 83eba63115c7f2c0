/** The very bytes of a task's output: text where they are UTF-8, else a blob. */
import { Rejection } from "../../services/kernel/errors.ts";
import { rawBytesMax } from "../limits.ts";
import type { ResourceDefinition } from "./resourceDefinition.ts";

export const rawOutputResource: ResourceDefinition = {
  uriTemplate: "cazi://tasks/{id}/output/raw{?stream,attempt}",
  name: "task_raw_output",
  title: "Raw output of a task",
  description: `The very bytes of a task's standard output, or of stderr with stream; at most ${rawBytesMax / 1024 / 1024} MiB.`,
  mimeType: "application/octet-stream",
  read: async (client, { id, stream, attempt }) => {
    // The API refuses what is no stream or no number, and says what there is.
    const response = await client.getRawOutput(id!, {
      ...(stream === undefined ? {} : { stream: stream as "stdout" }),
      ...(attempt === undefined ? {} : { attempt: attempt as unknown as number }),
    });
    const bytes = await boundedBytes(response, id!);
    const meta = { complete: response.headers.get("cazi-complete") === "true", bytes: bytes.length };
    const text = asUtf8(bytes);
    return text === null
      ? { blob: bytes.toString("base64"), meta }
      : { text, mimeType: "text/plain; charset=utf-8", meta };
  },
};

/** @throws Rejection `OUTPUT_TOO_LARGE`: a part that looks like the whole would be worse than none */
async function boundedBytes(response: Response, id: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= rawBytesMax) continue;
    throw new Rejection("OUTPUT_TOO_LARGE", `The output is larger than ${rawBytesMax} bytes.`, {
      hint: `Read it over HTTP from /v1/tasks/${id}/output/raw, or with \`cazi output ${id} --raw\`; get_task_logs gives it in pages.`,
      fields: { status: 413 },
    });
  }
  return Buffer.concat(chunks);
}

/** Null where the bytes are not text. */
export function asUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
