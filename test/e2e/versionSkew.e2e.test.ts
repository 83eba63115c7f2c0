/** The program of the version before this one beside this one's: nodes and servers are upgraded one after the other. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bySubject, endsIn, readLedger } from "../support/homeLedger.ts";
import { noPreviousVersion, previousVersion } from "../support/previousVersion.ts";
import { conflicts, foldedRows, storedRows } from "../support/readModels.ts";
import { type Fleet, makeFleet, type RoleProcess } from "../support/roleProcesses.ts";
import { tempHome } from "../support/tempHome.ts";
import { waitFor } from "../support/waitFor.ts";
import { withEngine } from "../support/withEngine.ts";
import { withNats } from "../support/withNats.ts";
import { withPostgres } from "../support/withPostgres.ts";

if (noPreviousVersion !== null) console.warn(`left out: versions one apart, because ${noPreviousVersion}`);

/** Those of a line at once, and a line after the other: readers are upgraded before writers, and nodes last. */
const servers = [["projector"], ["relay", "reactor", "scheduler"], ["control-plane"]] as const;

describe.skipIf(noPreviousVersion !== null)("one version apart", () => {
  const nats = withNats();
  const postgres = withPostgres("native");
  const engine = withEngine();
  const folder = tempHome();
  const serving = new Map<string, RoleProcess>();
  let before: string;
  let fleet: Fleet;
  /** Prints before the upgrade of the servers begins, and ends after it. */
  let long: string;
  /** Wants a node that comes later. */
  let waiting: string;

  beforeAll(async () => {
    before = previousVersion(join(folder.path, "before"));
    fleet = await makeFleet({ nats, databaseUrl: postgres.url, dockerHost: engine.dockerHost });
    await serve("projector", before);
    await Promise.all([
      node("young"),
      ...servers
        .slice(1)
        .flat()
        .map((role) => serve(role, before)),
    ]);
    await ready();
  });
  afterAll(async () => {
    await fleet?.remove();
    folder.remove();
  });

  const serve = async (role: string, entry?: string) => {
    serving.set(role, await fleet.serve(role, {}, entry));
  };
  const node = async (name: string, entry?: string) => {
    const own = { CAZI_NODE: name, CAZI_HOME: join(folder.path, name) };
    serving.set(name, await fleet.serve("node", own, entry));
  };
  const end = async (name: string) => {
    const { program } = serving.get(name)!;
    program.child.kill("SIGTERM");
    await program.done;
  };
  const ready = () =>
    waitFor("the API to be ready", async () => (await fleet.api.request("GET", "/readyz")).status === 200, {
      deadlineMs: 60_000,
      pollMs: 50,
    });
  const shell = (script: string, on: string) => ({
    image: "cazi/toolbox:latest",
    command: ["sh", "-c", script],
    network: "none",
    selector: { node: on },
    timeout_seconds: 120,
  });
  const begins = (id: string) =>
    waitFor("it to print", async () => (await fleet.api.raw(id)).bytes.length > 0, { deadlineMs: 60_000 });

  /** What every pair of versions must be able to do. */
  async function worksOn(name: string): Promise<void> {
    const { id } = await fleet.api.submit(shell("echo hi; exit 4", name));
    const endless = await fleet.api.submit(shell("echo begun; sleep 300", name));
    expect(await fleet.api.ended(id)).toMatchObject({
      ...{ status: "failed", reason: "exit", exit_code: 4, attempt: 1, node: name },
    });
    expect((await fleet.api.raw(id)).bytes.toString()).toBe("hi\n");
    await begins(endless.id);
    expect((await fleet.api.cancel(endless.id)).status).toBe(202);
    expect(await fleet.api.ended(endless.id)).toMatchObject({ status: "cancelled", attempt: 1 });
    await waitFor(
      "its container to be gone",
      async () => (await fleet.containers.ofTask(endless.id)) === null,
      {
        deadlineMs: 30_000,
      },
    );
  }

  it("a node of this version runs, reports and cancels tasks under servers of the one before", async () => {
    await worksOn("young");
    long = (await fleet.api.submit(shell("echo begun; sleep 5; exit 5", "young"))).id;
    waiting = (await fleet.api.submit(shell("echo waited; exit 6", "elder"))).id;
    await begins(long);
  });

  it("servers are replaced after each other on the same ledger, and what runs and waits meanwhile goes on", async () => {
    for (const line of servers) {
      await Promise.all(
        line.map(async (role) => {
          await end(role);
          await serve(role);
        }),
      );
    }
    await ready();
    expect(await fleet.api.ended(long)).toMatchObject({ status: "failed", exit_code: 5, attempt: 1 });
    expect(await fleet.api.task(waiting)).toMatchObject({ status: "pending" });
  });

  it("a node of the version before runs, reports and cancels tasks under servers of this one", async () => {
    await node("elder", before);
    expect(await fleet.api.ended(waiting)).toMatchObject({ status: "failed", exit_code: 6, node: "elder" });
    await worksOn("elder");
  });

  it("a node that is upgraded finds the container that the version before has started", async () => {
    const { id } = await fleet.api.submit(shell("echo begun; sleep 3; echo done; exit 7", "elder"));
    await begins(id);
    await end("elder");
    await node("elder");
    expect(await fleet.api.ended(id)).toMatchObject({ status: "failed", exit_code: 7, attempt: 1 });
    expect((await fleet.api.raw(id)).bytes.toString()).toBe("begun\ndone\n");
  });

  it("every task has one end in the ledger, and the rows are what the events of both versions fold to", async () => {
    const events = await readLedger(nats);
    const ends = [...bySubject(events).values()].map(endsIn);
    expect(ends).toEqual(ends.map(() => 1));
    const expected = foldedRows(events);
    expect(expected.length).toBe(7);
    await waitFor("the read models to catch up", async () => {
      const stored = await storedRows(postgres.url);
      return stored.every((row) => row.finished_at !== null);
    });
    expect(await storedRows(postgres.url)).toEqual(expected);
    expect(await conflicts(postgres.url)).toBe(0);
  });
});
