import { describe, expect, it } from "vitest";
import { parseExecutionSpec } from "../../executionSpec.ts";
import { type ContainerInput, containerConfig } from "./containerConfig.ts";

const GiB = 1024 ** 3;

function configOf(spec: object, more: Partial<ContainerInput> = {}) {
  const config = containerConfig({
    name: "cazi-i-t-1",
    labels: { "cazi.task": "t" },
    spec: parseExecutionSpec(JSON.stringify({ image: "alpine:3.20", ...spec })),
    image: { ref: "alpine:3.20", repo_digest: null, image_id: "sha256:abc" },
    mounts: [],
    stopGraceMs: 1_500,
    policy: { networks: ["bridge", "none"] },
    ...more,
  });
  if (typeof config === "string") throw new Error(`refused: ${config}`);
  return config;
}

const hostOf = (spec: object) => configOf(spec).HostConfig!;

describe("isolation of every container", () => {
  it("drops all capabilities, gains no privileges, keeps the default seccomp profile", () => {
    const host = hostOf({});
    expect(host.CapDrop).toEqual(["ALL"]);
    expect(host.CapAdd).toEqual([]);
    expect(host.Privileged).toBe(false);
    expect(host.SecurityOpt).toEqual(["no-new-privileges"]);
  });

  it("shares no namespace of the host and no device", () => {
    const host = hostOf({});
    expect([host.PidMode, host.IpcMode, host.UTSMode, host.UsernsMode]).toEqual(["", "private", "", ""]);
    expect([host.Devices, host.DeviceRequests, host.PortBindings]).toEqual([[], [], {}]);
  });

  it("bounds processes, memory without swap, processors, files and core dumps", () => {
    const host = hostOf({});
    expect(host.PidsLimit).toBe(256);
    expect(host.Memory).toBe(512 * 1024 ** 2);
    expect(host.MemorySwap).toBe(host.Memory);
    expect(host.NanoCpus).toBe(1e9);
    expect(host.Ulimits).toContainEqual({ Name: "core", Soft: 0, Hard: 0 });
  });

  it("takes the bounds that the spec names", () => {
    const host = hostOf({ resources: { cpus: 0.5, memory: 64 * 1024 ** 2, pids: 10 } });
    expect([host.NanoCpus, host.Memory, host.PidsLimit]).toEqual([5e8, 64 * 1024 ** 2, 10]);
  });

  it("is never removed or restarted by the engine", () => {
    const host = hostOf({});
    expect(host.AutoRemove).toBe(false);
    expect(host.RestartPolicy).toEqual({ Name: "no" });
  });

  it("logs to the driver that keeps bytes, in one file larger than both capped streams", () => {
    const small = hostOf({ max_output_bytes: 1_000 }).LogConfig!;
    expect(small.Type).toBe("local");
    expect(small.Config).toMatchObject({ "max-file": "1", compress: "false" });
    expect(Number(small.Config["max-size"])).toBeGreaterThan(2 * 1_000);
    expect(Number(hostOf({ max_output_bytes: GiB }).LogConfig!.Config["max-size"])).toBeGreaterThan(2 * GiB);
  });

  it("gets a writable /tmp where its root is read-only, and only there", () => {
    const host = hostOf({ read_only: true, resources: { tmpfs: 1_048_576 } });
    expect(host.ReadonlyRootfs).toBe(true);
    expect(host.Tmpfs).toEqual({ "/tmp": "rw,noexec,nosuid,nodev,size=1048576" });
    expect(hostOf({}).Tmpfs).toBeUndefined();
  });
});

describe("what a container runs", () => {
  it("is the resolved image, not whatever its name means by now", () => {
    expect(configOf({}).Image).toBe("sha256:abc");
  });

  it("replaces the image's CMD by the command and keeps its ENTRYPOINT", () => {
    const config = configOf({ command: ["-d", "example.com"] });
    expect(config.Cmd).toEqual(["-d", "example.com"]);
    expect(config).not.toHaveProperty("Entrypoint");
  });

  it("leaves the image's CMD when no command is given", () => {
    expect(configOf({})).not.toHaveProperty("Cmd");
  });

  it("replaces the ENTRYPOINT when one is given, and takes it away when it is empty", () => {
    expect(configOf({ entrypoint: ["/bin/sh"] }).Entrypoint).toEqual(["/bin/sh"]);
    expect(configOf({ entrypoint: [] }).Entrypoint).toEqual([]);
  });

  it("has no terminal and no stdin", () => {
    expect(configOf({})).toMatchObject({ Tty: false, OpenStdin: false, AttachStdin: false });
  });

  it("gets its environment, folder and user", () => {
    const config = configOf({ environment: { A: "1=2", B: "" }, workdir: "/w", user: "1000:1000" });
    expect(config).toMatchObject({ Env: ["A=1=2", "B="], WorkingDir: "/w", User: "1000:1000" });
  });
});

describe("refusals", () => {
  const refused = (spec: object) =>
    containerConfig({
      name: "n",
      labels: {},
      spec: parseExecutionSpec(JSON.stringify({ image: "a", ...spec })),
      image: { ref: "a", repo_digest: null, image_id: null },
      mounts: [],
      stopGraceMs: 1,
      policy: { networks: ["none"] },
    });

  it("name the setting that allows other networks", () => {
    expect(refused({ network: "bridge" })).toContain("CAZI_NODE_NETWORKS");
  });

  it("hold for the network of the host and of other containers even where a policy names them", () => {
    expect(refused({ network: "host" })).toContain("never shares");
    expect(refused({ network: "container:abc" })).toContain("never shares");
  });
});
