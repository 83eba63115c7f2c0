import { describe, expect, it } from "vitest";
import { durabilityFindings } from "./durabilityFindings.ts";
import { engineFindings } from "./engineFindings.ts";

const durability = {
  natsVersion: "2.9.10",
  natsReplicas: 1,
  postgresSyncs: false,
  ackSetting: "auto",
  ack: "published",
} as const;
const resultOf = (findings: readonly { check: string; result: string }[], check: string) =>
  findings.find((finding) => finding.check === check)?.result;

describe("doctor", () => {
  it("says that the embedded parts do not cover a power cut", () => {
    expect(resultOf(durabilityFindings(durability), "durability")).toBe("warning");
  });

  it("counts a synced Postgres only where submits wait for it, and a cluster always", () => {
    const synced = { ...durability, postgresSyncs: true };
    expect(resultOf(durabilityFindings(synced), "durability")).toBe("warning");
    expect(resultOf(durabilityFindings({ ...synced, ack: "projected" }), "durability")).toBe("ok");
    expect(resultOf(durabilityFindings({ ...durability, natsReplicas: 3 }), "durability")).toBe("ok");
  });

  it("names what an engine does not enforce", () => {
    const engine = {
      address: "unix:///x",
      version: "20.10.24",
      components: [{ Name: "runc", Version: "1.1" }],
    };
    const weak = engineFindings({ ...engine, info: { MemoryLimit: true } });
    expect(weak.map(({ result }) => result)).toEqual(["ok", "warning", "warning", "warning"]);
    expect(weak[0]?.found).toContain("runc 1.1");
    expect(weak[1]?.found).toContain("swap limits, CPU limits, process limits");
    const strong = engineFindings({
      ...engine,
      info: {
        MemoryLimit: true,
        SwapLimit: true,
        CpuCfsQuota: true,
        PidsLimit: true,
        SecurityOptions: ["name=seccomp,profile=default", "name=rootless"],
      },
    });
    expect(strong.every(({ result }) => result === "ok")).toBe(true);
  });
});
