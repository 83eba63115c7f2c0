import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempHome } from "../../../test/support/tempHome.ts";
import { withEngine } from "../../../test/support/withEngine.ts";
import { systemClock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import { openMarkerFiles } from "../markerFiles.ts";
import { toLabels } from "../runtimes/docker/containerLabels.ts";
import { openDockerClient } from "../runtimes/docker/dockerClient.ts";
import { openSecretFolders, secretsRoot } from "../runtimes/docker/secretFolders.ts";
import { nameOf, type Reaped } from "./planReap.ts";
import { reapMachine } from "./reapMachine.ts";

const hourMs = 3_600_000;
const nothing = () => {};
/** What goes at the first look, by its kind and attempt. */
const GOING = [
  ...["attempt over-1", "attempt over-alone-1", "attempt over-gone-1", "attempt unheard-1"],
  ...["folder half-1", "folder nothing-1"],
];
const quietLog = { debug: nothing, info: nothing, warn: nothing, error: nothing };

function shown(what: Reaped): string {
  if (what.is === "attempt") return `attempt ${nameOf(what.remains.ref)}`;
  return what.is === "folder" ? `folder ${what.folder.of}` : "stray";
}

describe("the reaper on a machine", () => {
  const engine = withEngine();
  const home = tempHome();
  const [instance, other] = [newId(Date.now()), newId(Date.now())];
  const nodesFolder = join(home.path, "node");
  let docker: Docker;

  const refOf = (task: string) => ({ tenant: "default", task, attempt: 1, fence: `fence-${task}` });
  const terms = (epoch: string) => ({
    timeoutMs: 1,
    stopGraceMs: 1,
    outputBytesMax: 1,
    grantedAt: { epoch, seq: 1 },
    image: null,
  });
  /** A container named and labelled as the agent does it. */
  const place = async (
    task: string,
    more: { node?: string; of?: string; epoch?: string; start?: true; labels?: object } = {},
  ) => {
    const { node = "a", of = instance, epoch = "now" } = more;
    const container = await docker.createContainer({
      name: `cazi-${of}-${task}-1`,
      Image: engine.image,
      Cmd: ["sleep", "60"],
      HostConfig: { NetworkMode: "none", Init: true },
      Labels: { ...toLabels({ instance: of, node }, refOf(task), terms(epoch)), ...more.labels },
    });
    if (more.start) await container.start();
  };
  const here = async () => {
    const all = await docker.listContainers({
      all: true,
      filters: { name: [`cazi-${instance}`, `cazi-${other}`] },
    });
    return all.map((one) => one.Labels["cazi.task"]).sort();
  };
  /** An hour later, with a ledger that wants `live` and has seen the end of whatever begins with `over`. */
  const reap = (dryRun: boolean, more: Partial<Parameters<typeof reapMachine>[0]> = {}) =>
    reapMachine({
      docker,
      instance,
      nodesFolder,
      node: null,
      log: quietLog,
      clock: { ...systemClock, now: () => Date.now() + hourMs },
      ask: async (_node, refs) => ({
        as_of: { epoch: "now", seq: 9 },
        desired: refs.filter(({ task }) => task === "live").map((ref) => ({ ...ref, cancel: false })),
        settled: refs.filter(({ task }) => task.startsWith("over")).map(({ fence }) => fence),
      }),
      graceMs: 300_000,
      running: false,
      dryRun,
      ...more,
    });

  beforeAll(async () => {
    docker = await openDockerClient(engine.dockerHost);
    await Promise.all([
      place("live", { start: true }),
      place("over", { start: true }),
      place("over-gone", { node: "gone" }),
      place("unheard", { epoch: "before" }),
      place("unheard-runs", { epoch: "before", start: true }),
      place("over-other", { of: other }),
      docker.createContainer({ name: `cazi-${instance}`, Image: engine.image, Cmd: ["true"] }),
    ]);
    const markers = await openMarkerFiles(join(nodesFolder, "a", "markers"), quietLog);
    for (const task of ["over", "over-alone"])
      await markers.write({ ref: refOf(task), terms: terms("now"), notStarted: null });
    const secrets = await openSecretFolders(await secretsRoot(join(nodesFolder, "a")));
    await secrets.place(refOf("nothing"), { key: "c2VjcmV0" });
    await mkdir(join(nodesFolder, "a", "artifacts", "live-1", "files"), { recursive: true });
    await writeFile(join(nodesFolder, "a", "markers", "half-1.json.tmp"), "{");
    await utimes(join(nodesFolder, "a", "markers", "half-1.json.tmp"), 1, 1);
  }, 60_000);
  afterAll(async () => {
    const all = await docker.listContainers({
      all: true,
      filters: { name: [`cazi-${instance}`, `cazi-${other}`] },
    });
    await Promise.all(all.map(({ Id }) => docker.getContainer(Id).remove({ force: true })));
    home.remove();
  });

  const everything = ["live", "over", "over-gone", "over-other", "unheard", "unheard-runs", undefined].sort();

  it("given a dry run, then says what would go and changes nothing", async () => {
    const outcomes = await reap(true);
    const whys = outcomes.map(({ what, why }) => `${shown(what)}: ${why}`).join("\n");
    const going = outcomes.filter(({ go }) => go).map(({ what }) => shown(what));
    expect(going.sort(), whys).toEqual(GOING);
    expect(outcomes.some(({ removed }) => removed)).toBe(false);
    expect(await here()).toEqual(everything);
  });

  it("given all is younger than the grace, or nobody can be asked, then no container goes", async () => {
    await reap(false, { clock: systemClock });
    await reap(false, { ask: async () => null, clock: systemClock });
    expect(await here()).toEqual(everything);
  });

  it("takes what is over or unheard of, and never what lives, is another instance's or has no label", async () => {
    const outcomes = await reap(false);
    expect(outcomes.filter(({ failed }) => failed !== null)).toEqual([]);
    expect(await here()).toEqual(["live", "over-other", "unheard-runs", undefined].sort());
    const left = (path: string) => existsSync(join(nodesFolder, "a", path));
    expect(["markers/over-1.json", "markers/over-alone-1.json", "markers/half-1.json.tmp"].some(left)).toBe(
      false,
    );
    expect(left("artifacts/live-1/files")).toBe(true);
    expect(existsSync(join(await secretsRoot(join(nodesFolder, "a")), "nothing-1"))).toBe(false);
    expect((await reap(false)).filter(({ go }) => go)).toEqual([]);
  });

  it("takes what runs of another ledger only where that is asked for", async () => {
    await reap(false, { running: true });
    expect(await here()).toEqual(["live", "over-other", undefined].sort());
  });
});
