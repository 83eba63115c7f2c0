import { join } from "node:path";
import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushImage } from "../../../../test/support/registryImages.ts";
import { tempHome } from "../../../../test/support/tempHome.ts";
import { withEngine } from "../../../../test/support/withEngine.ts";
import { hasRegistry, withRegistry } from "../../../../test/support/withRegistry.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { newId } from "../../../kernel/ids.ts";
import { openDockerClient } from "./dockerClient.ts";
import { ImageStore } from "./imageStore.ts";
import { sweepImages } from "./imageSweep.ts";
import { openPulledImages, type PulledImages } from "./pulledImages.ts";
import { PullTurns } from "./pullTurns.ts";

const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

describe.skipIf(!hasRegistry)("a node whose disk is full", () => {
  const engine = withEngine();
  const registry = withRegistry();
  const home = tempHome();
  let docker: Docker;
  let pulled: PulledImages;
  let store: ImageStore;
  const made: string[] = [];

  beforeAll(async () => {
    docker = await openDockerClient(engine.dockerHost);
    pulled = await openPulledImages(join(home.path, "pulled.json"), systemClock);
    store = new ImageStore({
      docker,
      clock: systemClock,
      random: () => 0,
      askRetryAfter: async () => null,
      privates: { has: () => false, begins: async () => undefined, isPublic: async () => undefined },
      pulled,
      turns: new PullTurns(3),
      stallMs: 60_000,
    });
  });
  afterAll(async () => {
    await Promise.allSettled(made.map((ref) => docker.getImage(ref).remove({ force: true })));
    home.remove();
  });

  /** An image that is in the registry alone. */
  const pushed = async () => {
    const name = `cazi-test/${newId(Date.now())}`;
    const ref = `${registry.address}/${await pushImage(docker, registry, { name, bytes: 1_000 })}`;
    made.push(ref);
    return ref;
  };
  /** Resolved for an attempt that may start for so long. */
  const resolve = async (
    image: string,
    more: { withinMs?: number; policy?: "always" | "if_not_present" | "never" } = {},
  ) => {
    const waiter = { left: new Promise<void>(nothing), onPull: nothing };
    const deadlineMs = performance.now() + (more.withinMs ?? 0);
    const spec = { image, pull_policy: more.policy ?? ("if_not_present" as const) };
    const found = await store.resolve(spec, null, { ...waiter, deadlineMs });
    if (found.is !== "resolved") throw new Error(JSON.stringify(found));
    return found.image;
  };
  const isHere = (ref: string) =>
    docker
      .getImage(ref)
      .inspect()
      .then(() => true)
      .catch(() => false);
  /** On a disk that is as full as these looks say, one after the other, and then empty. */
  const sweep = (...looks: number[]) =>
    sweepImages({
      docker,
      pulled,
      policy: { maxAgeMs: null, highPercent: 85, lowPercent: 75 },
      usedPercent: async () => looks.shift() ?? 0,
      clock: systemClock,
      log,
    });
  const full = () => Array(20).fill(100) as number[];

  it("removes the longest unused of what it pulled until there is room, and pulls it again when it is wanted", async () => {
    const [first, second, third] = await Promise.all([pushed(), pushed(), pushed()]);
    for (const ref of [first, second, third, first]) await resolve(ref);
    expect(await sweep(80)).toEqual([]);
    expect((await sweep(90, 90, 90, 74)).join(" ")).toContain(second);
    expect(await Promise.all([first, second, third].map(isHere))).toEqual([true, false, false]);
    const again = await resolve(second);
    expect(await isHere(again.repo_digest!)).toBe(true);
    // What somebody else removed is not this node's any more, should it come again.
    await docker.getImage(second).remove();
    await sweep(...full());
    expect([pulled.has(second), pulled.has(again.repo_digest!)]).toEqual([false, false]);
  });

  it("never removes what a container is of, what an attempt is about to start, or what is not its own", async () => {
    const [ofContainer, starting, tagged, relied, loaded] = await Promise.all([
      pushed(),
      pushed(),
      pushed(),
      pushed(),
      pushed(),
    ]);
    await Promise.all([ofContainer, tagged, relied].map((ref) => resolve(ref)));
    await resolve(starting, { withinMs: 60_000 });
    const container = await docker.createContainer({ Image: ofContainer, Cmd: ["true"] });
    const mine = `cazi-test-mine/${newId(Date.now())}`;
    await docker.getImage(tagged).tag({ repo: mine, tag: "1" });
    made.push(`${mine}:1`);
    await resolve(relied, { policy: "never" });
    const pull = await docker.pull(loaded);
    await new Promise((done) => docker.modem.followProgress(pull, done));
    await resolve(loaded, { policy: "always" });
    await sweep(...full());
    const kept = [ofContainer, starting, tagged, relied, loaded, engine.image];
    expect(await Promise.all(kept.map(isHere))).toEqual(kept.map(() => true));
    await container.remove();
    await sweep(...full());
    expect(await isHere(ofContainer)).toBe(false);
  });
});
