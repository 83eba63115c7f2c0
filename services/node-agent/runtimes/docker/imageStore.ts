import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import type { ImageIdentity } from "../../../../schemas/messages/node.ts";
import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import type { ImageOutcome, ImageWaiter } from "../../ports.ts";
import { callEngine } from "./engineErrors.ts";
import type { PrivateImages } from "./privateImages.ts";
import { Pull, type PullEnd, type PullTools } from "./pull.ts";
import type { PulledImages } from "./pulledImages.ts";
import { credentialsFor, credentialsMark, type RegistryCredentials } from "./registryCredentials.ts";

/**
 * The images of one engine. A pull of the same reference is done once for all who wait for it; different ones are
 * pulled at once up to a bound.
 */
export class ImageStore {
  readonly #docker: Docker;
  readonly #tools: PullTools;
  readonly #privates: PrivateImages;
  readonly #pulled: PulledImages;
  /** By reference and credentials: who has others does not wait for what these bring. */
  readonly #pulls = new Map<string, Pull>();

  constructor(tools: PullTools & { readonly privates: PrivateImages; readonly pulled: PulledImages }) {
    this.#docker = tools.docker;
    this.#pulled = tools.pulled;
    this.#privates = tools.privates;
    this.#tools = tools;
  }

  /**
   * Finds the image that an attempt runs, pulling it where the policy says so. An image that is there is never
   * pulled under `if_not_present`, unless it came by credentials: then the registry is asked again, with this attempt's
   * own, whatever the policy. A pinned image is exactly that one or none.
   * @param waiter is told of a pull, and may leave; then the answer is nobody's
   * @throws Retryable `ENGINE_UNREACHABLE`
   */
  async resolve(
    spec: Pick<ExecutionSpec, "image" | "pull_policy">,
    pin: ImageIdentity | null,
    waiter: ImageWaiter,
  ): Promise<ImageOutcome> {
    const names = [spec.image, pin?.ref, pin?.repo_digest, pin?.image_id].filter((name) => name != null);
    await this.#pulled.hold(names, waiter.deadlineMs);
    // Who forbids a pull relies on what is there: that is not this node's to remove any more.
    if (spec.pull_policy === "never") await this.#pulled.forget(names);
    if (pin !== null) return this.#resolvePinned(pin, spec.pull_policy, waiter);
    const reference = parseImageReference(spec.image);
    if (isRefusal(reference)) return { is: "unavailable", message: reference.message };
    const ref = reference.canonical;
    if (spec.pull_policy !== "always") {
      const found = await this.#inspect(ref);
      if (found !== null && !this.#privates.has(ref)) return resolved(ref, found);
      if (spec.pull_policy === "never") {
        return { is: "unavailable", message: found === null ? neverPulled(ref) : privateOnNode(ref) };
      }
    }
    const { end, pulled } = await this.#pull(ref, waiter);
    if (end.is === "failed") return { ...end, is: "pull_failed" };
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
      if (found !== null && !this.#isPrivate(pin)) {
        return { is: "resolved", image: { ...pin, image_id: found.Id } };
      }
    }
    if (pin.repo_digest === null || policy === "never") {
      return { is: "unavailable", message: goneImage(pin) };
    }
    const { end, pulled } = await this.#pull(pin.repo_digest, waiter);
    if (end.is === "failed") return { ...end, is: "pull_failed" };
    if (pulled === null) return { is: "unavailable", message: goneImage(pin) };
    // The digest names the content; the id may differ between kinds of engine.
    return { is: "resolved", image: { ...pin, image_id: pulled.Id } };
  }

  async #inspect(ref: string): Promise<ImageInspectInfo | null> {
    const answer = await callEngine(() => this.#docker.getImage(ref).inspect());
    return answer.ok ? answer.value : null;
  }

  #isPrivate(pin: ImageIdentity): boolean {
    return this.#privates.has(pin.ref) || this.#privates.has(pin.repo_digest ?? pin.ref);
  }

  /** @returns how it ended, and the image where it is there */
  async #pull(
    ref: string,
    waiter: ImageWaiter,
  ): Promise<{ readonly end: PullEnd; readonly pulled: ImageInspectInfo | null }> {
    const credentials = credentialsFor(ref, waiter.registries ?? {});
    if (credentials !== null) await this.#privates.begins(ref);
    if ((await this.#inspect(ref)) === null) await this.#pulled.add([ref]);
    const end = await this.#join(ref, credentials, waiter);
    if (end.is === "failed") return { end, pulled: null };
    const pulled = await this.#inspect(ref);
    // By digest too: a tag may move on to another image and leave this one without.
    if (pulled !== null && this.#pulled.has(ref)) await this.#pulled.add(pulled.RepoDigests ?? []);
    if (credentials === null) await this.#privates.isPublic(ref);
    return { end, pulled };
  }

  #join(ref: string, credentials: RegistryCredentials | null, waiter: ImageWaiter): Promise<PullEnd> {
    const key = `${ref} ${credentialsMark(credentials)}`;
    const known = this.#pulls.get(key);
    if (known !== undefined && !known.over) return known.join(waiter);
    const pull = new Pull(ref, this.#tools, credentials);
    this.#pulls.set(key, pull);
    const end = pull.join(waiter);
    void pull.run().finally(() => {
      if (this.#pulls.get(key) === pull) this.#pulls.delete(key);
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

function privateOnNode(ref: string): string {
  return `${ref} is on the node because somebody's credentials brought it, so its registry has to be asked whether this task may have it, and pull_policy is never; allow a pull`;
}

function goneImage(pin: ImageIdentity): string {
  const id = pin.repo_digest ?? pin.image_id ?? "unknown";
  return `the image that this task runs, ${pin.ref} (${id}), is not on the node any more and is not pulled; no other image is run in its place`;
}
