import { describe, expect, it } from "vitest";
import { refuseMounts } from "./mountRule.ts";

describe("a mount", () => {
  const mounts = [{ source: "/srv/data/in" }, { source: "/home/ada" }];
  const node = (...mount_allowlist: string[]) => ({ mount_allowlist });

  it("that no known node offers is refused, pointing at it", () => {
    expect(refuseMounts(mounts, [node("/srv/data"), node()])).toMatchObject({
      code: "MOUNT_NOT_ALLOWED",
      details: [{ pointer: "/mounts/1/source" }],
    });
  });

  it("that any node offers is left to the scheduler, and so is every mount while no node is known", () => {
    expect(refuseMounts(mounts, [node("/srv/data"), node("/home")])).toBeNull();
    expect(refuseMounts(mounts, [])).toBeNull();
  });
});
