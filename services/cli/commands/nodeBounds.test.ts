import { describe, expect, it } from "vitest";
import { boundsOf } from "./nodeBounds.ts";

describe("what an operator declares of a node", () => {
  it("is little unless more is said, and for the own tenant alone", () => {
    expect(boundsOf({}, null, "acme")).toEqual({
      labels: {},
      tags: [],
      tenants: ["acme"],
      slots: 8,
      networks: ["bridge", "none"],
      mounts: [],
    });
  });

  it("is for everybody where a star says so", () => {
    expect(boundsOf({ tenants: ["*"] }, null, "acme").tenants).toBeNull();
  });

  it("keeps what is not said again", () => {
    const before = {
      labels: { a: "b" },
      tags: ["x"],
      tenants: null,
      slots: 3,
      networks: ["none"],
      mounts: ["/srv"],
    };
    expect(boundsOf({ tags: [] }, before, "acme")).toEqual({ ...before, tags: [] });
    expect(boundsOf({ tenants: ["acme"], slotsMax: 9 }, before, "acme")).toEqual({
      ...before,
      tenants: ["acme"],
      slots: 9,
    });
  });
});
