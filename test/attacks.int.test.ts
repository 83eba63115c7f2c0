/**
 * What `cazi doctor` calls enforced, attacked: each test names the rows that it stands for. The containers are made
 * by a node agent from a spec, as any task's are, and every attack runs in one of a few of them.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keptToken } from "../deploy/homeFiles.ts";
import { ensureHome } from "../deploy/homeFolder.ts";
import { newId } from "../services/kernel/ids.ts";
import { openDockerClient } from "../services/node-agent/runtimes/docker/dockerClient.ts";
import { type NodeFixture, nodeFixture } from "../services/node-agent/testing/nodeFixture.ts";
import { waitFor } from "./support/waitFor.ts";
import { withEngine } from "./support/withEngine.ts";

const MiB = 1024 * 1024;
const preamble = `
say() { printf '%s=%s\\n' "$1" "$2"; }
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then say "$name" DONE; else say "$name" refused; fi; }
status() { grep "^$1:" /proc/self/status | tr -d ' \\t' | cut -d: -f2; }
`;

/** As root, in a container with the settings that every container has; nothing here harms a host that lets it through. */
const asRoot = `
say uid "$(id -u)"
for name in CapEff CapPrm CapBnd CapInh NoNewPrivs Seccomp; do say "$name" "$(status "$name")"; done
try chroot chroot / /bin/true
mkdir -p /tmp/m; echo own > /tmp/own
try mount mount -t tmpfs none /tmp/m
try bind mount -o bind / /tmp/m
try mknod mknod /tmp/null c 1 3
try chown chown 1:1 /tmp/own
try rawsocket ping -c 1 -W 1 127.0.0.1
try hostname hostname attacker
try setuid setpriv --reuid 65534 true
try unshare_user unshare -U true
try unshare_mount unshare -m true
try sysrq sh -c 'echo h > /proc/sysrq-trigger'
try sysctl sh -c 'cat /proc/sys/vm/swappiness > /tmp/s && cat /tmp/s > /proc/sys/vm/swappiness'
try cgroup sh -c 'echo max > /sys/fs/cgroup/pids.max || echo max > /sys/fs/cgroup/pids/pids.max'
say block_devices "$(find /dev -type b | wc -l)"
say sockets "$(find / -xdev -type s 2>/dev/null | wc -l)"
say engine "$(ls /var/run/docker.sock /run/docker.sock /run/containerd/containerd.sock 2>/dev/null | wc -l)"
try host_processes sh -c 'ps | grep -q "[d]ockerd"'
say routes "$(ip route | wc -l)"
say links "$(ip -o link | grep -vc 'lo:')"
try outside nc -w 2 1.1.1.1 53
try metadata nc -w 2 169.254.169.254 80
say limit_files "$(ulimit -n)"
say limit_core "$(ulimit -c)"
`;

/** With a limit so small that a busy machine gives more as well: what gets less than it may is held back by nothing. */
const greedy = `
timeout 2 sh -c 'while :; do :; done'
say throttled "$(cat /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/cpu/cpu.stat 2>/dev/null | sed -n 's/^nr_throttled //p')"
`;

/** As a user who is not root, on a root that is read-only, with a program that belongs to root and is setuid. */
const asUser = `
say uid "$(id -u)"
say setuid "$(/bin/busybox-root su -c true 2>&1 < /dev/null)"
try root_file touch /file
try system_file sh -c 'echo x >> /etc/passwd'
try tmp_file touch /tmp/file
cp /bin/busybox /tmp/program 2>/dev/null; chmod 755 /tmp/program
try tmp_program /tmp/program true
`;

/** The bomb: far more processes than are allowed, all alive. The shell that cannot fork ends, the outer one tells. */
const forkBomb = `
( i=0; while [ $i -lt 200 ]; do sleep 20 & i=$((i+1)); done ) 2>/dev/null
set -- /proc/[0-9]*
say alive $#
`;

describe("an attacker in a container", () => {
  const engine = withEngine();
  const folder = mkdtempSync(join(process.cwd(), ".attacks-"));
  const setuidImage = `cazi-test-attacks-${newId(Date.now())}:setuid`;
  let node: NodeFixture;
  let root: Record<string, string>;
  let user: Record<string, string>;
  let bomb: Record<string, string>;
  let busy: Record<string, string>;

  beforeAll(async () => {
    [node] = await Promise.all([nodeFixture(), makeSetuidImage()]);
    mkdirSync(join(folder, "allowed"));
    await node.startAgent({
      DOCKER_HOST: engine.dockerHost,
      CAZI_NODE_MOUNTS: join(folder, "allowed"),
      CAZI_NODE_NETWORKS: "none,bridge",
    });
    const small = { memory: 64 * MiB, cpus: 0.5, pids: 64 };
    [root, user, bomb, busy] = await Promise.all([
      told({ command: sh(asRoot), resources: small }),
      told({ command: sh(asUser), image: setuidImage, user: "1000:1000", read_only: true }),
      told({ command: sh(forkBomb), resources: { ...small, pids: 24 } }),
      told({ command: sh(greedy), resources: { ...small, cpus: 0.05 } }),
    ]);
  }, 120_000);
  afterAll(async () => {
    const docker = await openDockerClient(engine.dockerHost);
    const filters = { label: [`cazi.instance=${node.instance}`] };
    await waitFor(
      "the attackers to be removed",
      async () => (await docker.listContainers({ all: true, filters })).length === 0,
    );
    await docker.getImage(setuidImage).remove({ force: true });
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sh = (script: string) => ["sh", "-c", preamble + script];
  const offer = (spec: object) =>
    node.plane.offer(node.newTask(), { image: engine.image, network: "none", ...spec });
  /** Runs an attack, and gives what it says of itself. */
  async function told(spec: object): Promise<Record<string, string>> {
    const ref = await offer(spec);
    const report = await node.plane.final(ref, 60_000);
    expect(report.not_started).toBeNull();
    const { bytes } = await node.logged(ref, "stdout");
    return Object.fromEntries(
      bytes
        .toString()
        .trim()
        .split("\n")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
  }
  async function makeSetuidImage(): Promise<void> {
    const docker = await openDockerClient(engine.dockerHost);
    const made = await docker.createContainer({
      Image: engine.image,
      Cmd: ["sh", "-c", "cp /bin/busybox /bin/busybox-root && chmod 4755 /bin/busybox-root"],
    });
    await made.start();
    await made.wait();
    const [repo, tag] = setuidImage.split(":");
    await made.commit({ repo: repo!, tag: tag! });
    await made.remove();
  }

  it("has no capability, as root as well: no mount, chroot, device node, raw socket, chown or change of user", () => {
    expect(root).toMatchObject({ uid: "0", CapInh: "0000000000000000", CapPrm: "0000000000000000" });
    expect(root).toMatchObject({ CapEff: "0000000000000000", CapBnd: "0000000000000000" });
    const attacks = "chroot mount bind mknod chown rawsocket hostname setuid sysrq sysctl cgroup".split(" ");
    expect(Object.fromEntries(attacks.map((name) => [name, root[name]]))).toEqual(
      Object.fromEntries(attacks.map((name) => [name, "refused"])),
    );
  });

  it("is kept by the filter of system calls from namespaces of its own", () => {
    expect(root).toMatchObject({ Seccomp: "2", unshare_user: "refused", unshare_mount: "refused" });
  });

  it("gains nothing from a setuid program of root, which without no-new-privileges would make it root", async () => {
    expect(root.NoNewPrivs).toBe("1");
    expect(user.uid).toBe("1000");
    // busybox says so itself when it is setuid and is not root all the same.
    expect(user.setuid).toContain("must be suid");
    const docker = await openDockerClient(engine.dockerHost);
    const unguarded = await docker.createContainer({
      Image: setuidImage,
      User: "1000:1000",
      Cmd: ["sh", "-c", '! /bin/busybox-root su -c true 2>&1 < /dev/null | grep -q "must be suid"'],
    });
    await unguarded.start();
    expect((await unguarded.wait()).StatusCode).toBe(0);
    await unguarded.remove();
  });

  it("makes no more processes than it may, with a fork bomb", () => {
    expect(Number(bomb.alive)).toBeGreaterThan(10);
    expect(Number(bomb.alive)).toBeLessThanOrEqual(24);
  });

  it("is ended when it takes more memory than it may, and reported as out of memory", async () => {
    const ref = await offer({ command: ["tail", "/dev/zero"], resources: { memory: 16 * MiB } });
    const { ended } = await node.plane.final(ref, 60_000);
    expect(ended).toMatchObject({ oom_killed: true, stopped_by: null });
  });

  it("gets no more processor than it may, and few files and no core dump", () => {
    expect(Number(busy.throttled)).toBeGreaterThan(0);
    expect(root).toMatchObject({ limit_files: "1024", limit_core: "0" });
  });

  it("reaches nothing on the network none: no route, no link but its own, no metadata service", () => {
    expect(root).toMatchObject({ routes: "0", links: "0", outside: "refused", metadata: "refused" });
  });

  it("finds no socket of the engine, no device and no process of the host", () => {
    expect(root).toMatchObject({ engine: "0", sockets: "0", block_devices: "0", host_processes: "refused" });
  });

  it("writes nothing to a root that is read-only, and runs nothing from its /tmp", () => {
    expect(user).toMatchObject({ root_file: "refused", system_file: "refused", tmp_program: "refused" });
    expect(user.tmp_file).toBe("DONE");
  });

  it("mounts nothing outside the allowlist: no path, no link out of it, no climb, no socket of the engine", async () => {
    symlinkSync("/etc", join(folder, "allowed", "link"));
    writeFileSync(join(folder, "secret"), "");
    const sources = [
      "/etc",
      "/",
      "/var/run/docker.sock",
      join(folder, "secret"),
      join(folder, "allowed", "link"),
      `${join(folder, "allowed")}/../secret`,
      "/proc/1/root",
      node.home,
    ];
    for (const source of sources) {
      const ref = await offer({ command: ["true"], mounts: [{ source, target: "/stolen" }] });
      const { not_started } = await node.plane.final(ref);
      expect([source, not_started?.reason]).toEqual([source, "runtime_refused"]);
    }
  });
});

describe("an attacker on this machine", () => {
  it("who is another user reads neither the token nor a key in the home", () => {
    const place = mkdtempSync(join(tmpdir(), "cazi-attacks-"));
    try {
      chmodSync(place, 0o755);
      const home = join(place, "home");
      ensureHome(home);
      const { file } = keptToken(home);
      const others = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null;
      // Without a second user to be, the modes have to speak.
      const read = (path: string) => (others ? spawnSync("cat", [path], others).status : modeTells(path));
      expect([read(file), others ? spawnSync("ls", [home], others).status : 2]).not.toContain(0);
      // The folder's mode is one wall, the file's own is another.
      chmodSync(home, 0o755);
      expect(read(file)).not.toBe(0);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it("without credentials is sent away by the NATS server", async () => {
    const node = await nodeFixture();
    try {
      const attempt = connect({ servers: node.server.url, timeout: 5_000, reconnect: false });
      await expect(attempt).rejects.toMatchObject({ code: "AUTHORIZATION_VIOLATION" });
    } finally {
      await node.close();
    }
  });
});

/** As `cat` would exit for somebody else. */
function modeTells(path: string): number {
  return spawnSync("find", [path, "-perm", "/077"], { encoding: "utf8" }).stdout.trim() === "" ? 1 : 0;
}
