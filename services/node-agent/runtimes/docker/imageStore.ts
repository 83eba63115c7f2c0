import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import type { ImageIdentity } from "../../../../schemas/messages/node.ts";
import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import type { ImageOutcome, ImageWaiter } from "../../ports.ts";
import { callEngine } from "./engineErrors.ts";
import { Pull, type PullEnd, type PullTools } from "./pull.ts";

/**
 * The images of one engine. A pull of the same reference is done once for all who wait for it; different ones are
 * pulled at once up to a bound.
 */
export class ImageStore {
  readonly #docker: Docker;
  readonly #tools: PullTools;
  readonly #pulls = new Map<string, Pull>();

  constructor(tools: PullTools) {
    this.#docker = tools.docker;
    this.#tools = tools;
  }

  /**
   * Finds the image that an attempt runs, pulling it where the policy says so. An image that is there is never
   * pulled under `if_not_present`; a pinned image is exactly that one or none.
   * @param waiter is told of a pull, and may leave; then the answer is nobody's
   * @throws Retryable `ENGINE_UNREACHABLE`
   */
  async resolve(
    spec: Pick<ExecutionSpec, "image" | "pull_policy">,
    pin: ImageIdentity | null,
    waiter: ImageWaiter,
  ): Promise<ImageOutcome> {
    if (pin !== null) return this.#resolvePinned(pin, spec.pull_policy, waiter);
    const reference = parseImageReference(spec.image);
    if (isRefusal(reference)) return { is: "unavailable", message: reference.message };
    const ref = reference.canonical;
    if (spec.pull_policy !== "always") {
      const found = await this.#inspect(ref);
      if (found !== null) return resolved(ref, found);
      if (spec.pull_policy === "never") return { is: "unavailable", message: neverPulled(ref) };
    }
    const end = await this.#pull(ref, waiter);
    if (end.is === "failed") return { ...end, is: "pull_failed" };
    const pulled = await this.#inspect(ref);
    if (pulled !== null) return resolved(ref, pulled);
    const message = `${ref} was pulled and is not there; something on the node removes images`;
    return { is: "pull_failed", message, final: false, retryAfterMs: null };
  }

  async #resolvePinned(
    pin: ImageIdentity,
    policy: ExecutionSpec["pull_policy"],
    waiter: ImageWaiter,
  ): Promise<ImageOutcome> {
    const id = pin.image_id ?? pin.repo_digest;
    if (id !== null) {
      const found = await this.#inspect(id);
      if (found !== null) return { is: "resolved", image: { ...pin, image_id: found.Id } };
    }
    if (pin.repo_digest === null || policy === "never") {
      return { is: "unavailable", message: goneImage(pin) };
    }
    const end = await this.#pull(pin.repo_digest, waiter);
    if (end.is === "failed") return { ...end, is: "pull_failed" };
    const pulled = await this.#inspect(pin.repo_digest);
    if (pulled === null) return { is: "unavailable", message: goneImage(pin) };
    // The digest names the content; the id may differ between kinds of engine.
    return { is: "resolved", image: { ...pin, image_id: pulled.Id } };
  }

  async #inspect(ref: string): Promise<ImageInspectInfo | null> {
    const answer = await callEngine(() => this.#docker.getImage(ref).inspect());
    return answer.ok ? answer.value : null;
  }

  #pull(ref: string, waiter: ImageWaiter): Promise<PullEnd> {
    const known = this.#pulls.get(ref);
    if (known !== undefined && !known.over) return known.join(waiter);
    const pull = new Pull(ref, this.#tools);
    this.#pulls.set(ref, pull);
    const end = pull.join(waiter);
    void pull.run().finally(() => {
      if (this.#pulls.get(ref) === pull) this.#pulls.delete(ref);
    });
    return end;
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
