import type { Readable } from "node:stream";
import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import type { ImageIdentity } from "../../../../schemas/messages/node.ts";
import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import { pullStallMs } from "../../limits.ts";
import type { ImageOutcome } from "../../ports.ts";
import { callEngine, toRefusal, unreachable } from "./engineErrors.ts";

/** The images of one engine. A pull of the same reference is done once for all who wait for it. */
export class ImageStore {
  readonly #docker: Docker;
  readonly #pulls = new Map<string, Promise<string | null>>();

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /**
   * Finds the image that an attempt runs, pulling it where the policy says so. An image that is there is never
   * pulled under `if_not_present`; a pinned image is exactly that one or none.
   * @throws Retryable `ENGINE_UNREACHABLE`
   */
  async resolve(
    spec: Pick<ExecutionSpec, "image" | "pull_policy">,
    pin: ImageIdentity | null,
  ): Promise<ImageOutcome> {
    if (pin !== null) return this.#resolvePinned(pin, spec.pull_policy);
    const reference = parseImageReference(spec.image);
    if (isRefusal(reference)) return { is: "unavailable", message: reference.message };
    const ref = reference.canonical;
    if (spec.pull_policy !== "always") {
      const found = await this.#inspect(ref);
      if (found !== null) return resolved(ref, found);
      if (spec.pull_policy === "never") return { is: "unavailable", message: neverPulled(ref) };
    }
    const failure = await this.#pull(ref);
    if (failure !== null) return { is: "pull_failed", message: failure };
    const pulled = await this.#inspect(ref);
    if (pulled !== null) return resolved(ref, pulled);
    return {
      is: "pull_failed",
      message: `${ref} was pulled and is not there; something on the node removes images`,
    };
  }

  async #resolvePinned(pin: ImageIdentity, policy: ExecutionSpec["pull_policy"]): Promise<ImageOutcome> {
    const id = pin.image_id ?? pin.repo_digest;
    if (id !== null) {
      const found = await this.#inspect(id);
      if (found !== null) return { is: "resolved", image: { ...pin, image_id: found.Id } };
    }
    if (pin.repo_digest === null || policy === "never") {
      return { is: "unavailable", message: goneImage(pin) };
    }
    const failure = await this.#pull(pin.repo_digest);
    if (failure !== null) return { is: "pull_failed", message: failure };
    const pulled = await this.#inspect(pin.repo_digest);
    if (pulled === null) return { is: "unavailable", message: goneImage(pin) };
    // The digest names the content; the id may differ between kinds of engine.
    return { is: "resolved", image: { ...pin, image_id: pulled.Id } };
  }

  async #inspect(ref: string): Promise<ImageInspectInfo | null> {
    const answer = await callEngine(() => this.#docker.getImage(ref).inspect());
    return answer.ok ? answer.value : null;
  }

  /** @returns null when pulled, else what to tell the user */
  #pull(ref: string): Promise<string | null> {
    const known = this.#pulls.get(ref);
    if (known !== undefined) return known;
    const pull = this.#pullOnce(ref).finally(() => this.#pulls.delete(ref));
    this.#pulls.set(ref, pull);
    return pull;
  }

  async #pullOnce(ref: string): Promise<string | null> {
    try {
      const stream = (await this.#docker.pull(ref)) as Readable;
      const failure = await pullEnd(stream);
      return failure === null ? null : pullFailed(ref, failure);
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal === null) throw unreachable(error);
      return pullFailed(ref, refusal.message);
    }
  }
}

/** Reads a pull's progress to its end. @returns the engine's error, or null */
function pullEnd(stream: Readable): Promise<string | null> {
  return new Promise((resolve) => {
    let text = "";
    let failure: string | null = null;
    const stalled = () => {
      resolve(`no progress for ${pullStallMs / 1000} s`);
      stream.destroy();
    };
    let timer = setTimeout(stalled, pullStallMs);
    const finish = (result: string | null) => {
      clearTimeout(timer);
      resolve(result);
    };
    stream.on("data", (chunk: Buffer) => {
      clearTimeout(timer);
      timer = setTimeout(stalled, pullStallMs);
      const lines = (text + chunk.toString("utf8")).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) failure = errorIn(line) ?? failure;
    });
    stream.on("end", () => finish(errorIn(text) ?? failure));
    stream.on("error", (error) => finish(error.message));
    stream.on("close", () => finish(failure ?? "the engine broke the connection off"));
  });
}

function errorIn(line: string): string | null {
  if (line.trim() === "") return null;
  try {
    const { error } = JSON.parse(line) as { error?: unknown };
    return typeof error === "string" ? error : null;
  } catch {
    return null;
  }
}

function resolved(ref: string, found: ImageInspectInfo): ImageOutcome {
  const repository = ref.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
  const digests = found.RepoDigests ?? [];
  const own = digests.find((digest) => digest.startsWith(`${repository}@`)) ?? digests[0] ?? null;
  return { is: "resolved", image: { ref, repo_digest: own, image_id: found.Id } };
}

function neverPulled(ref: string): string {
  return `${ref} is not on the node and pull_policy is never; load it there (docker load, docker import), or allow a pull`;
}

function goneImage(pin: ImageIdentity): string {
  const id = pin.repo_digest ?? pin.image_id ?? "unknown";
  return `the image that this task runs, ${pin.ref} (${id}), is not on the node any more and is not pulled; no other image is run in its place`;
}

function pullFailed(ref: string, why: string): string {
  return `${ref} could not be pulled: ${why}. Check that the name is right and the node reaches the registry; with no registry, load the image on the node (docker load, docker import) and it is used without a pull`;
}
