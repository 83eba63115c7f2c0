import { describe, expect, it } from "vitest";
import type { Node } from "../../../schemas/api/node.ts";
import type { KnownNode } from "../../domain/scheduling/fleet.ts";
import { SchedulingIndex } from "../../domain/scheduling/schedulingIndex.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { Principal } from "../ports.ts";
import { pendingReasons } from "../tasks/pendingReasons.ts";
import { apiFixture, testNode } from "../testing/apiFixture.ts";

const bounds = { labels: {}, tags: [], slots: 1, networks: ["none"], mounts: [] };
const of = (name: string, tenants: string[] | null): Node => ({
  ...testNode(name),
  tenants,
  bounds: { ...bounds, tenants },
  account: `A${"B".repeat(55)}`,
  clipped: ["tag fast is not declared"],
});
const nodes = [
  of("acme-only", ["acme"]),
  of("both", ["acme", "other"]),
  of("other-only", ["other"]),
  of("open", null),
];

async function seenBy(who: Partial<Principal>) {
  const principal: Principal = { tenant: "acme", actor: "user:ann", role: "admin", ...who };
  const { ask, app } = await apiFixture({ nodes: () => nodes, tokens: { verify: () => principal } });
  const page = (await ask("GET", "/v1/nodes")).json;
  const one = async (name: string) => (await ask("GET", `/v1/nodes/${name}`)).json;
  const found = {
    names: page.data.map(({ name }: Node) => name),
    page,
    other: await one("other-only"),
    none: await one("nobody"),
  };
  await app.close();
  return found;
}

describe("the nodes of a fleet", () => {
  it("are shown to a tenant that may use them, and another's are answered as those that never were", async () => {
    for (const role of ["viewer", "operator", "admin"] as const) {
      const { names, page, other, none } = await seenBy({ role });
      expect(names, role).toEqual(["acme-only", "both", "open"]);
      expect(other).toMatchObject({ status: 404, code: "NODE_NOT_FOUND" });
      const told = ({ title, detail, hint }: Record<string, string>) => ({ title, detail, hint });
      expect(JSON.parse(JSON.stringify(told(other)).replaceAll("other-only", "nobody"))).toEqual(told(none));
      expect(JSON.stringify(page)).not.toMatch(/other|ABBB|declared\./);
    }
    expect((await seenBy({ tenant: "third" })).names).toEqual(["open"]);
  });

  it("are shown with whose they are and what was declared to admins of the installation, and to them alone", async () => {
    const admin = await seenBy({ installation: true });
    expect(admin.names).toEqual(["acme-only", "both", "open", "other-only"]);
    expect(admin.other).toMatchObject({ tenants: ["other"], bounds: { tenants: ["other"] } });
    const operator = await seenBy({ installation: true, role: "operator" });
    expect(operator.names).toEqual(["acme-only", "both", "open"]);
  });

  it("of others are not named as the reason why a task waits", () => {
    const known = nodes.map(
      ({ name, tenants }) =>
        ({
          ...{ node: name, tenants, labels: {}, tags: [], networks: ["none"], mount_allowlist: [], slots: 1 },
          ...{ cpus: 1, memory_bytes: 1, unavailable: null, state: "active", clipped: [] },
        }) as unknown as KnownNode,
    );
    const directory = { registrations: () => known, isOnline: () => false };
    const clock = { now: () => 0, monotonicMs: () => 0 };
    const reasonOf = pendingReasons({ index: new SchedulingIndex(60_000), nodes: directory, clock });
    const spec = { image: "a", network: "none", selector: {}, tags: [], mounts: [], cpus: 1, memory: "1Mi" };
    const reason = reasonOf({
      id: "t",
      tenant: "acme",
      spec: spec as unknown as WorkloadSpec,
      not_before: null,
    })!;
    expect(reason.nodes.map(({ node }) => node)).toEqual(["acme-only", "both", "open"]);
    expect(JSON.stringify(reason)).not.toContain("other-only");
    const third = reasonOf({
      id: "u",
      tenant: "third",
      spec: { ...spec, selector: { node: "other-only" } } as never,
      not_before: null,
    })!;
    const never = reasonOf({
      id: "v",
      tenant: "third",
      spec: { ...spec, selector: { node: "nobody-has" } } as never,
      not_before: null,
    })!;
    expect(third.message.replace("other-only", "nobody-has")).toBe(never.message);
  });
});
