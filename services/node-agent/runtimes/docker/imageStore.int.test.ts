import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageIdentity } from "../../../../schemas/messages/node.ts";
import { withEngine } from "../../../../test/support/withEngine.ts";
import { hasRegistry, withRegistry } from "../../../../test/support/withRegistry.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { newId } from "../../../kernel/ids.ts";
import type { ImageWaiter } from "../../ports.ts";
import { nothingPulled } from "../../testing/nothingPulled.ts";
import { openDockerClient } from "./dockerClient.ts";
import { ImageStore } from "./imageStore.ts";
import { PullTurns } from "./pullTurns.ts";

describe.skipIf(!hasRegistry)("images of a registry", () => {
  const engine = withEngine();
  const registry = withRegistry();
  const repository = `cazi-test/${newId(Date.now())}`;
  let docker: Docker;
  let store: ImageStore;
  const waiter = (): ImageWaiter => ({
    deadlineMs: performance.now() + 500,
    left: new Promise(() => {}),
    onPull: () => {},
  });
  const resolve = (...[wanted, pin]: [Parameters<ImageStore["resolve"]>[0], ImageIdentity | null]) =>
    store.resolve(wanted, pin, waiter());
  const ref = () => `${registry.address}/${repository}:1`;
  const spec = (pull_policy: "always" | "if_not_present" | "never", image = ref()) => ({
    image,
    pull_policy,
  });
  const removeLocal = () =>
    docker
      .getImage(ref())
      .remove()
      .catch(() => undefined);

  beforeAll(async () => {
    docker = await openDockerClient(engine.dockerHost);
    store = new ImageStore({
      docker,
      clock: systemClock,
      random: () => 0,
      askRetryAfter: async () => null,
      privates: { has: () => false, begins: async () => undefined, isPublic: async () => undefined },
      pulled: nothingPulled,
      turns: new PullTurns(3),
      stallMs: 60_000,
    });
    await docker.getImage(engine.image).tag({ repo: `${registry.address}/${repository}`, tag: "1" });
    const push = await docker.getImage(ref()).push({ authconfig: { username: "", password: "" } });
    await new Promise((resolve, reject) =>
      docker.modem.followProgress(push, (error) => (error ? reject(error) : resolve(null))),
    );
    await removeLocal();
  });
  afterAll(removeLocal);

  it("are pulled when they are not there, and known by digest and id from then on", async () => {
    const found = await resolve(spec("if_not_present"), null);
    expect(found).toMatchObject({
      is: "resolved",
      image: {
        ref: ref(),
        image_id: engine.imageId,
        repo_digest: expect.stringMatching(/@sha256:[0-9a-f]{64}$/),
      },
    });
  });

  it("that are there are not asked for again, unless the policy says always", async () => {
    await resolve(spec("if_not_present"), null);
    const before = registry.manifestRequests(repository);
    await resolve(spec("if_not_present"), null);
    expect(registry.manifestRequests(repository)).toBe(before);
    expect(await resolve(spec("always"), null)).toMatchObject({ is: "resolved" });
  });

  it("are never pulled under never, and the answer says what to do", async () => {
    await removeLocal();
    expect(await resolve(spec("never"), null)).toMatchObject({
      is: "unavailable",
      message: expect.stringContaining("docker load"),
    });
  });

  it("are pulled once for all who wait for the same one", async () => {
    await removeLocal();
    const found = await Promise.all(Array.from({ length: 8 }, () => resolve(spec("if_not_present"), null)));
    expect(found.every((one) => one.is === "resolved")).toBe(true);
  });

  it("that were resolved before are run by digest, and by nothing else when they are gone", async () => {
    const first = await resolve(spec("if_not_present"), null);
    if (first.is !== "resolved") throw new Error("not resolved");
    await removeLocal();
    const again = await resolve(spec("if_not_present"), { ...first.image, image_id: null });
    expect(again).toEqual({ is: "resolved", image: { ...first.image, image_id: engine.imageId } });
    const other = {
      ...first.image,
      image_id: null,
      repo_digest: `${registry.address}/${repository}@sha256:${"0".repeat(64)}`,
    };
    expect((await resolve(spec("if_not_present"), other)).is).not.toBe("resolved");
  });

  it("that do not exist fail as pulls, naming the image", async () => {
    const missing = `${registry.address}/${repository}:none`;
    expect(await resolve(spec("if_not_present", missing), null)).toMatchObject({
      is: "pull_failed",
      message: expect.stringContaining(missing),
    });
  });

  it("cannot be pulled from a registry that is gone, and are used all the same when they are there", async () => {
    await resolve(spec("if_not_present"), null);
    await registry.stop();
    expect(await resolve(spec("if_not_present"), null)).toMatchObject({ is: "resolved" });
    expect(await resolve(spec("always"), null)).toMatchObject({ is: "pull_failed" });
  });
});
