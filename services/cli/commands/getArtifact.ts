import { createHash } from "node:crypto";
import { isRefusal } from "../../domain/refusal.ts";
import { artifactName } from "../../domain/task/artifactName.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { writeWhole } from "../writeWhole.ts";

export interface GetArtifactOptions {
  /** A path, or - for standard output; the file's own name here unless given. */
  readonly file?: string;
  readonly force?: true;
}

/**
 * Writes a file that a task published: under its own last name in the working folder, or where the caller says. It is
 * there whole and checked, or not at all.
 */
export async function getArtifact(
  context: CliContext,
  id: string,
  name: string,
  options: GetArtifactOptions,
): Promise<number> {
  const checked = artifactName(name);
  // A name that no artifact has could name a place on this machine.
  if (isRefusal(checked)) throw new Rejection("ARTIFACT_NAME_INVALID", `${checked.message}.`);
  const response = await connect(context).getArtifact(id, checked);
  const bytes = checkedBytes(response);
  if (options.file === "-") {
    for await (const piece of bytes) await context.output.data(piece);
    return exitCodes.ok;
  }
  const target = options.file ?? `./${checked.slice(checked.lastIndexOf("/") + 1)}`;
  await writeWhole(target, bytes, options.force === true);
  await context.output.message(`wrote ${target}`);
  return exitCodes.ok;
}

async function* checkedBytes(response: Response): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  try {
    for await (const piece of response.body ?? []) {
      hash.update(piece);
      yield piece;
    }
  } catch (cause) {
    throw new Retryable("ARTIFACT_STORE_UNAVAILABLE", "The file broke off on its way.", { cause });
  }
  if (response.headers.get("etag") === `"${hash.digest("hex")}"`) return;
  throw new Retryable("ARTIFACT_STORE_UNAVAILABLE", "The file that came is not the one that was stored.");
}
