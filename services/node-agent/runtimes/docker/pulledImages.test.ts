import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { tempHome } from "../../../../test/support/tempHome.ts";
import { canonicalName, openPulledImages } from "./pulledImages.ts";

const home = tempHome();
afterAll(() => home.remove());
let files = 0;

/** A clock that stands. */
function setting(file = join(home.path, `${++files}.json`)) {
  const at = { now: 1_000, monotonic: 1_000 };
  const open = () => openPulledImages(file, { now: () => at.now, monotonicMs: () => at.monotonic });
  return { at, open };
}

describe("the images that a node pulled", () => {
  it("are remembered over restarts, with their last use", async () => {
    const { at, open } = setting();
    const first = await open();
    await first.add(["r.example/x:1", "r.example/y:1"]);
    at.now = 2_000;
    await first.hold(["r.example/x:1"], 0);
    await first.forget(["r.example/y:1"]);
    await first.save();
    expect((await open()).all()).toEqual([{ ref: "r.example/x:1", usedAt: 2_000 }]);
  });

  it("are not removed while an attempt may still start one, by whatever name", async () => {
    const { at, open } = setting();
    const images = await open();
    const remove = () => images.removeUnlessHeld(["busybox:1", "sha256:a"], async () => {});
    await images.hold(["docker.io/library/busybox:1"], 5_000);
    at.monotonic = 5_000;
    expect(await remove()).toBe(false);
    at.monotonic = 5_001;
    expect(await remove()).toBe(true);
    await images.hold(["sha256:a"], 9_000);
    expect(await remove()).toBe(false);
  });

  it("have whoever wants one wait while it is being removed, and nobody else", async () => {
    const { open } = setting();
    const images = await open();
    const order: string[] = [];
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    const removal = images.removeUnlessHeld(["x:1"], async () => {
      await promise;
      order.push("removed");
    });
    const held = images.hold(["x:1"], 9_000).then(() => order.push("held"));
    await images.hold(["y:1"], 9_000);
    order.push("other");
    resolve();
    await Promise.all([held, removal]);
    expect(order).toEqual(["other", "removed", "held"]);
  });

  it.each([
    ["x", "x:latest"],
    ["docker.io/library/x:1", "x:1"],
    ["docker.io/a/x:1", "a/x:1"],
    ["localhost:5000/x:1", "localhost:5000/x:1"],
    [`x:1@sha256:${"0".repeat(64)}`, `x@sha256:${"0".repeat(64)}`],
    ["sha256:abc", "sha256:abc"],
    ["<none>:<none>", "<none>:<none>"],
  ])("have one form: %s", (text, form) => {
    expect(canonicalName(text)).toBe(form);
  });
});
