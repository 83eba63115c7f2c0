import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withEngine } from "../../../../test/support/withEngine.ts";
import { hasRegistry, registryLogin, withRegistry } from "../../../../test/support/withRegistry.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { newId } from "../../../kernel/ids.ts";
import { nothingPulled } from "../../testing/nothingPulled.ts";
import { openDockerClient } from "./dockerClient.ts";
import { ImageStore } from "./imageStore.ts";
import { openPrivateImages } from "./privateImages.ts";
import { PullTurns } from "./pullTurns.ts";

describe.skipIf(!hasRegistry)("images of a registry that asks for a login", () => {
  const engine = withEngine();
  const registry = withRegistry({ login: true });
  const repository = `cazi-private/${newId(Date.now())}`;
  const folder = mkdtempSync(join(tmpdir(), "cazi-private-pull-"));
  let docker: Docker;
  let store: ImageStore;
  const ref = () => `${registry.address}/${repository}:1`;
  const good = () => ({ [registry.address]: registryLogin });
  const wrong = () => ({ [registry.address]: { ...registryLogin, password: "not it" } });

  const open = async () =>
    new ImageStore({
      docker,
      clock: systemClock,
      random: () => 0,
      askRetryAfter: async () => null,
      turns: new PullTurns(3),
      stallMs: 60_000,
      privates: await openPrivateImages(join(folder, "private-images.json")),
      pulled: nothingPulled,
    });
  const resolve = (
    registries: Parameters<ImageStore["resolve"]>[2]["registries"],
    pull_policy: "always" | "if_not_present" | "never" = "if_not_present",
  ) =>
    store.resolve({ image: ref(), pull_policy }, null, {
      ...(registries && { registries }),
      deadlineMs: performance.now() + 500,
      left: new Promise(() => {}),
      onPull: () => {},
    });
  const removeLocal = () =>
    docker
      .getImage(ref())
      .remove()
      .catch(() => undefined);

  beforeAll(async () => {
    docker = await openDockerClient(engine.dockerHost);
    await docker.getImage(engine.image).tag({ repo: `${registry.address}/${repository}`, tag: "1" });
    const push = await docker.getImage(ref()).push({ authconfig: registryLogin });
    await new Promise((done, failed) =>
      docker.modem.followProgress(push, (error) => (error ? failed(error) : done(null))),
    );
    await removeLocal();
    store = await open();
  });
  afterAll(async () => {
    await removeLocal();
    rmSync(folder, { recursive: true });
  });

  it("are not given without one, nor for a wrong one, and it is said what to do", async () => {
    const without = await resolve(undefined);
    expect(without).toMatchObject({ is: "pull_failed", final: true });
    expect(without).toMatchObject({
      message: expect.stringContaining("cazi connection set NAME --registry HOST"),
    });
    expect(await resolve(wrong())).toMatchObject({
      is: "pull_failed",
      final: true,
      message: expect.stringMatching(/check its name, and the username and password stored/),
    });
  });

  it("are pulled with the task's own, and the password is in nothing that is told", async () => {
    const pulled = await resolve(good());
    expect(pulled).toMatchObject({ is: "resolved", image: { image_id: engine.imageId } });
    expect(JSON.stringify([pulled, await resolve(wrong())])).not.toContain("registry-password");
  });

  it("that are on the node since are no other task's: it has to show credentials of its own, after a restart too", async () => {
    await resolve(good());
    for (const life of ["this", "the next"]) {
      if (life === "the next") store = await open();
      expect(await resolve(undefined), life).toMatchObject({ is: "pull_failed", final: true });
      expect(await resolve(wrong()), life).toMatchObject({ is: "pull_failed", final: true });
      expect(await resolve(good()), life).toMatchObject({ is: "resolved" });
      expect(await resolve(good(), "never"), life).toMatchObject({
        is: "unavailable",
        message: expect.stringContaining("somebody's credentials brought it"),
      });
    }
  });
});
