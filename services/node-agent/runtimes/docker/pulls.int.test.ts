/** Pulls on a registry's bad days: limits, slow lines, cut connections, and one that is down and comes back. */
import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushImage } from "../../../../test/support/registryImages.ts";
import { type RegistryProxy, startRegistryProxy } from "../../../../test/support/registryProxy.ts";
import { waitFor } from "../../../../test/support/waitFor.ts";
import { withEngine } from "../../../../test/support/withEngine.ts";
import { hasRegistry, withRegistry } from "../../../../test/support/withRegistry.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { newId } from "../../../kernel/ids.ts";
import type { ImageWaiter, PullNewsKind, PullState } from "../../ports.ts";
import { nothingPulled } from "../../testing/nothingPulled.ts";
import { askRetryAfter } from "./askRetryAfter.ts";
import { openDockerClient } from "./dockerClient.ts";
import { ImageStore } from "./imageStore.ts";
import type { PullTools } from "./pull.ts";
import { PullTurns } from "./pullTurns.ts";

const MiB = 1024 * 1024;

/** An attempt that waits so long, and what it was told. */
function waiter(withinMs = 60_000) {
  const told: { state: PullState; kind: PullNewsKind }[] = [];
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const one: ImageWaiter = {
    deadlineMs: performance.now() + withinMs,
    left,
    onPull: (state, kind) => told.push({ state, kind }),
  };
  return {
    one,
    told,
    leave,
    kinds: () => told.map(({ kind }) => kind).filter((kind) => kind !== "progress"),
  };
}

describe.skipIf(!hasRegistry)("a pull", () => {
  const engine = withEngine();
  const registry = withRegistry();
  const proxies: RegistryProxy[] = [];
  const refs: string[] = [];
  let docker: Docker;

  beforeAll(async () => {
    docker = await openDockerClient(engine.dockerHost);
  });
  afterAll(async () => {
    const remove = (ref: string) => docker.getImage(ref).remove({ force: true });
    await Promise.allSettled(refs.map(remove));
    await Promise.allSettled(proxies.map((proxy) => proxy.close()));
  });

  /** A registry's address and images that no engine has seen. */
  const setting = async (more: Partial<PullTools> & { readonly images?: number } = {}) => {
    const proxy = await startRegistryProxy(registry.address);
    proxies.push(proxy);
    const images: string[] = [];
    for (let i = 0; i < (more.images ?? 1); i++) {
      const name = `cazi-test/${newId(Date.now())}`;
      images.push(`${proxy.address}/${await pushImage(docker, registry, { name, bytes: MiB })}`);
    }
    refs.push(...images);
    const store = new ImageStore({
      docker,
      clock: systemClock,
      random: () => 0,
      askRetryAfter,
      turns: new PullTurns(3),
      stallMs: 20_000,
      privates: { has: () => false, begins: async () => undefined, isPublic: async () => undefined },
      pulled: nothingPulled,
      ...more,
    });
    const pull = (of: ImageWaiter, image = images[0]!) =>
      store.resolve({ image, pull_policy: "if_not_present" }, null, of);
    return { proxy, pull, images };
  };

  it.concurrent("that a registry limits with 429 waits as long as its Retry-After says, twice, and then succeeds", async () => {
    const { proxy, pull } = await setting();
    proxy.limit(2, 1);
    const { one, told, kinds } = waiter();
    const began = performance.now();
    expect(await pull(one)).toMatchObject({ is: "resolved" });
    expect(kinds()).toEqual(["begun", "failed", "failed"]);
    const failed = told.filter(({ kind }) => kind === "failed").map(({ state }) => state);
    expect(failed[0]).toMatchObject({ tries: 1, last_error: expect.stringContaining("toomanyrequests") });
    for (const { retry_at } of failed) expect(retry_at! - Date.now()).toBeLessThan(1_500);
    expect(proxy.passed[0]!.atMs - began).toBeGreaterThanOrEqual(2_000);
    expect(told.at(-1)!.state).toMatchObject({ tries: 3, layers_done: 1, layers_total: 1, retry_at: null });
  });

  it.concurrent("whose connection is cut in the middle goes on to its end", async () => {
    const { proxy, pull } = await setting();
    proxy.slow(4 * MiB);
    proxy.cut(1, MiB / 2);
    expect(await pull(waiter().one)).toMatchObject({ is: "resolved" });
  });

  it.concurrent("from a registry that is down is tried again until it is up", async () => {
    const { proxy, pull } = await setting();
    await proxy.close();
    const { one, told } = waiter();
    const resolved = pull(one);
    await waitFor("a try to fail", () => told.some(({ kind }) => kind === "failed"));
    expect(told.at(-1)!.state).toMatchObject({ last_error: expect.stringContaining("connection refused") });
    await proxy.open();
    expect(await resolved).toMatchObject({ is: "resolved" });
  });

  it.concurrent("that makes no progress has failed after a while and is tried again", async () => {
    const { proxy, pull } = await setting({ stallMs: 700 });
    proxy.slow(1_000);
    const { one, told } = waiter();
    const resolved = pull(one);
    await waitFor("the try to fail", () => told.some(({ kind }) => kind === "failed"));
    expect(told.at(-1)!.state.last_error).toContain("no progress for 0.7 s");
    proxy.slow(null);
    expect(await resolved).toMatchObject({ is: "resolved" });
  });

  it("tells its progress in bytes while a slow layer comes", async () => {
    const { proxy, pull } = await setting();
    proxy.slow(MiB);
    const { one, told } = waiter();
    expect(await pull(one)).toMatchObject({ is: "resolved" });
    const half = told.find(({ state }) => state.bytes_done > 0 && state.bytes_done < state.bytes_total);
    expect(half?.state).toMatchObject({ layers_done: 0, layers_total: 1, tries: 1 });
    expect(told.at(-1)!.state.bytes_done).toBe(told.at(-1)!.state.bytes_total);
    expect(told.at(-1)!.state.bytes_total).toBeGreaterThan(MiB);
  });

  it.each([
    [
      "401 for a private image",
      401,
      "UNAUTHORIZED",
      "Name a connection that has credentials for its registry",
    ],
    ["403 for a private image", 403, "DENIED", "Name a connection that has credentials for its registry"],
    ["404 for an image that is not there", 404, "MANIFEST_UNKNOWN", "Check its name and tag"],
  ])("that is answered with %s is not tried again", async (_what, status, code, advice) => {
    const { proxy, pull } = await setting({ images: 0 });
    proxy.refuse(status, code);
    const { one, kinds } = waiter();
    expect(await pull(one, `${proxy.address}/private:1`)).toMatchObject({
      is: "pull_failed",
      final: true,
      message: expect.stringContaining(advice),
    });
    expect(kinds()).toEqual(["begun", "over"]);
  });

  it("is not waited for by an attempt whose time ends before the next try", async () => {
    const { proxy, pull } = await setting();
    proxy.limit(1, 60);
    const [hasty, patient] = [waiter(20_000), waiter(120_000)];
    const waits = pull(patient.one);
    expect(await pull(hasty.one)).toMatchObject({ is: "pull_failed", final: false, retryAfterMs: 60_000 });
    expect(patient.kinds()).toEqual(["begun", "failed"]);
    patient.leave();
    expect(await Promise.race([waits, Promise.resolve("still waits")])).toBe("still waits");
  });

  it("is one at a time for each image, and some at once of different images", async () => {
    const { proxy, pull, images } = await setting({ turns: new PullTurns(2), images: 3 });
    proxy.slow(4 * MiB);
    const tasks = [...images, ...images].map((image) => pull(waiter().one, image));
    const found = await Promise.all(tasks);
    expect(found.every(({ is }) => is === "resolved")).toBe(true);
    expect(proxy.passed.filter(({ method }) => method === "HEAD")).toHaveLength(images.length);
    expect(proxy.layersAtOnceMax).toBe(2);
  });

  it("ends when nobody waits for it any more, and begins anew for who comes later", async () => {
    const { proxy, pull } = await setting();
    proxy.slow(100_000);
    const first = waiter();
    void pull(first.one);
    await waitFor("some bytes", () => first.told.some(({ state }) => state.bytes_done > 0));
    first.leave();
    proxy.slow(null);
    expect(await pull(waiter().one)).toMatchObject({ is: "resolved" });
  });
});
