/** What an operator does beside running tasks: look, end it all, and keep following over a crash. */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { figureOf, parsePrometheus } from "../support/parsePrometheus.ts";
import { withProduct } from "../support/product.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct();
const shell = (script: string) => ({
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", script],
  timeout_seconds: 120,
});

describe("an operator", () => {
  it("is told by doctor what it all stands on and what is not enforced", async () => {
    const { exit, stdout, stderr } = await product.cazi("doctor", "-o", "jsonl");
    const found = stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; status: string; found: string });
    const failing = found.filter(({ status }) => status === "fail" || status === "unknown");
    expect([exit, stderr.toString(), failing]).toEqual([0, "", []]);
    const of = (id: string) => found.find((one) => one.id === id)?.found;
    expect(of("cazi")).toMatch(/^Cazi \d+\.\d+\.\d+ on Node \d+\./);
    expect(of("engine")).toMatch(/^Docker \d/);
    expect(of("nats")).toMatch(/^nats-server \d/);
    expect(of("postgres")).toMatch(/^embedded PostgreSQL \d/);
    expect(of("acknowledgement")).toMatch(/^(published|projected) \(chosen\)/);
    expect(of("power_cut")).toMatch(/power cut may/);
    expect(of("token")).toContain("a wrong one is refused");
    expect(of("host_header")).toContain("a foreign name is refused");
    const people = await product.cazi("doctor");
    expect(
      people.stdout
        .toString()
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  it("scrapes one endpoint for every role of the process, which needs no token on loopback", async () => {
    const { id } = await product.api.submit(shell("true"));
    await product.api.ended(id);
    const scrape = async () => parsePrometheus(await (await fetch(`${product.url}/metrics`)).text());
    const figures = await waitFor("the end to be counted", async () => {
      const seen = await scrape();
      return figureOf(seen, "cazi_attempts_ended_total", { outcome: "succeeded" }) === 1 ? seen : null;
    });
    const build = figures.get("cazi_build_info")?.samples[0]?.labels;
    expect(build?.roles?.split(",").sort()).toEqual(
      ["control-plane", "node", "projector", "reactor", "relay", "scheduler", "sinks"].sort(),
    );
    for (const role of ["projector", "reactor", "relay", "scheduler"])
      expect(figureOf(figures, "cazi_lease_held", { role }), role).toBe(1);
    expect(figureOf(figures, "cazi_node_available", { node: "local" })).toBe(1);
    expect(figureOf(figures, "cazi_ready")).toBe(1);
    const sources = figures.get("cazi_metrics_source_up")?.samples ?? [];
    expect(sources.filter(({ value }) => value !== 1)).toEqual([]);
  });

  it("gives a person a token, whose name is on what is done with it, and on what follows by whom it was done", async () => {
    expect((await product.cazi("user", "add", "ada", "--role", "operator")).exit).toBe(0);
    const made = await product.cazi("token", "create", "bot", "--for", "ada", "--agent", "fixer");
    const headers = {
      authorization: `Bearer ${made.stdout.toString().trim()}`,
      "content-type": "application/json",
    };
    const body = JSON.stringify(shell("true"));
    const answer = await fetch(`${product.url}/v1/tasks`, { method: "POST", headers, body });
    const { id } = (await answer.json()) as { id: string };
    await product.api.ended(id);
    const events = await waitFor("the events", async () => {
      const { stdout } = await product.cazi("events", id, "-o", "json");
      const { data } = JSON.parse(stdout.toString()) as { data: { type: string; who: object }[] };
      return data.some(({ type }) => type === "succeeded") ? data : null;
    });
    const whoOf = (type: string) => events.find((event) => event.type === type)?.who;
    const accountable = "user:ada";
    expect(whoOf("submitted")).toEqual({ actor: "agent:fixer", accountable, route: "rest" });
    expect(whoOf("scheduled")).toEqual({ actor: "service:scheduler", accountable, route: "internal" });
    expect(whoOf("succeeded")).toEqual({ actor: "node:local", accountable, route: "internal" });
  });

  it("downloads the very bytes of a file that a container sent over the bridge, and of one that it left in /artifacts", async () => {
    // BusyBox's wget posts a file up to its first NUL, so what it sends is text.
    const script =
      'cd /tmp && head -c 300000 /dev/urandom | base64 > a && head -c 300000 /dev/urandom > /artifacts/left.bin && sha256sum a /artifacts/left.bin && wget -q -O /dev/null --header "Authorization: Bearer $CAZI_WORKLOAD_TOKEN" --post-file a "$CAZI_ARTIFACT_URL/sent.txt"';
    const { id } = await product.api.submit({ ...shell(script), network: "bridge" });
    expect(await product.api.ended(id)).toMatchObject({ status: "succeeded", message: null });
    const digests = String((await product.api.raw(id)).bytes).match(/[0-9a-f]{64}/g);
    const got = [];
    for (const name of ["sent.txt", "left.bin"]) {
      const { exit, stdout } = await product.cazi("artifacts", "get", id, name, "-o", "-");
      expect([exit, stdout.length > 299_999], name).toEqual([0, true]);
      got.push(createHash("sha256").update(stdout).digest("hex"));
    }
    expect(got).toEqual(digests);
  });

  it("gives a program outside its place in the feed, sees how far it is, and takes both away", async () => {
    const added = await product.cazi("subscriber", "add", "reports");
    expect([added.exit, added.stdout.toString()]).toEqual([
      0,
      expect.stringMatching(/^NATS_URL=\S+ NATS_CREDS=reports\.creds CAZI_CONSUMER=\S+\n$/),
    ]);
    const creds = join(product.home, "subscribers", "default.reports.creds");
    expect(statSync(creds).mode & 0o777).toBe(0o600);
    expect((await product.cazi("subscriber", "add", "reports")).stderr.toString()).toContain(
      "is there already",
    );
    const listed = await product.cazi("subscriber", "list", "-o", "json");
    expect(JSON.parse(listed.stdout.toString()).data).toMatchObject([{ name: "reports", state: "active" }]);
    const removed = await product.cazi("subscriber", "remove", "reports");
    expect([removed.exit, removed.stderr.toString()]).toEqual([
      0,
      expect.stringContaining("its credentials are void"),
    ]);
    const unknown = await product.cazi("subscriber", "remove", "nobody");
    expect([unknown.exit, unknown.stderr.toString()]).toEqual([
      3,
      expect.stringContaining("SUBSCRIBER_NOT_FOUND"),
    ]);
  });

  it("goes on following a task while everything is killed and started again", async () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");
    const script = "n=0; while [ $n -lt 40 ]; do echo line $n; n=$((n + 1)); sleep 0.25; done; exit 9";
    const run = product.startCazi(["run", "-"], JSON.stringify(shell(script)));
    await waitFor("its first lines", () => run.stdoutSoFar().includes("line 3\n"), { deadlineMs: 60_000 });
    await product.killAll();
    await product.start();
    const done = await run.done;
    expect([done.exit, done.stdout.toString(), done.stderr.toString()]).toEqual([9, lines, ""]);
  });

  it("ends all with down, which cancels what runs; a second down has nothing to do", async () => {
    const { id } = await product.api.submit(shell("echo begun; sleep 100"));
    await product.api.hasStatus(id, "running");
    const reaped = await product.cazi("reap", "--running", "--all-nodes", "-o", "json");
    const { items } = JSON.parse(reaped.stdout.toString()) as { items: { task: string }[] };
    expect([reaped.exit, items.find(({ task }) => task === id)]).toMatchObject([
      0,
      { what: "container", does: "keep", why: "the ledger has it on this node" },
    ]);
    const down = await product.cazi("down");
    expect([down.exit, down.stdout.toString()]).toEqual([0, ""]);
    expect(down.stderr.toString()).toContain("cancelling 1 running task");
    expect((await product.up.done).exit).toBe(0);
    expect((await product.containers.ofTask(id))?.State ?? "gone").not.toBe("running");
    const again = await product.cazi("down");
    expect([again.exit, again.stderr.toString()]).toEqual([0, `cazi: no Cazi runs on ${product.home}\n`]);
    await product.start();
    expect((await product.cazi("wait", id)).exit).toBe(130);
    expect(await product.api.task(id)).toMatchObject({ cancel: { reason: "cazi down" } });
  });

  it("may leave containers running with down --keep, and stop them with a later down", async () => {
    const { id } = await product.api.submit(shell("echo begun; sleep 100"));
    await product.api.hasStatus(id, "running");
    expect((await product.cazi("down", "--keep")).exit).toBe(0);
    expect((await product.containers.ofTask(id))?.State).toBe("running");
    const down = await product.cazi("down");
    expect(down.stderr.toString()).toContain("stopped 1 container that was left running");
    expect((await product.containers.ofTask(id))?.State).toBe("exited");
    await product.start();
    expect(await product.api.ended(id)).toMatchObject({ status: "failed" });
  });
});
