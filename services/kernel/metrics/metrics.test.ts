import { describe, expect, it } from "vitest";
import { figureOf, parsePrometheus } from "../../../test/support/parsePrometheus.ts";
import { type FamilyName, families } from "./families.ts";
import { openMetrics } from "./openMetrics.ts";

function fakeClock() {
  let ms = 0;
  return { now: () => ms, monotonicMs: () => ms, pass: (by: number) => (ms += by) };
}
async function opened() {
  const clock = fakeClock();
  const metrics = await openMetrics({ clock });
  const read = async () => {
    clock.pass(60_000);
    return parsePrometheus(await metrics.text());
  };
  return { clock, metrics, read };
}

describe("the metrics of a process", () => {
  it("are text that Prometheus reads, with every family of the catalogue, its type and its help", async () => {
    const { metrics, read } = await opened();
    metrics.observe("cazi_http_request_seconds", { method: "GET", route: 'a"b\\c\nd', status: "200" }, 0.3);
    const parsed = await read();
    expect([...parsed.keys()].sort()).toEqual(Object.keys(families).sort());
    for (const [name, { kind, help }] of Object.entries(families)) {
      expect(parsed.get(name)).toMatchObject({ type: kind, help });
    }
    const labels = { method: "GET", route: 'a"b\\c\nd', status: "200" };
    expect(figureOf(parsed, "cazi_http_request_seconds_sum", labels)).toBe(0.3);
    expect(figureOf(parsed, "cazi_http_request_seconds_bucket", { ...labels, le: "0.25" })).toBe(0);
    expect(figureOf(parsed, "cazi_http_request_seconds_bucket", { ...labels, le: "+Inf" })).toBe(1);
  });

  it("are named cazi_, in base units, counters with _total", () => {
    for (const [name, { kind, help }] of Object.entries(families)) {
      expect(name).toMatch(/^cazi_[a-z_]+[a-z]$/);
      expect(name.endsWith("_total"), name).toBe(kind === "counter");
      expect(name).not.toMatch(/_(ms|millis|minutes|kb|mb|percent)(_|$)/);
      expect(help).toMatch(/\.$/);
    }
  });

  it("begin at nothing where every label is known, so that the first increase is one", async () => {
    const { metrics, read } = await opened();
    expect(figureOf(await read(), "cazi_ledger_appends_total", { event: "submitted" })).toBe(0);
    expect(figureOf(await read(), "cazi_ledger_conflicts_total")).toBe(0);
    metrics.add("cazi_ledger_appends_total", { event: "submitted" });
    expect(figureOf(await read(), "cazi_ledger_appends_total", { event: "submitted" })).toBe(1);
  });

  it("are absent, not 0, where nobody knows, and gone again when what they were of is gone", async () => {
    const { metrics, read } = await opened();
    const name = "cazi_queue_age_seconds" satisfies FamilyName;
    expect(figureOf(await read(), name)).toBeUndefined();
    let node: string | null = "n1";
    metrics.watch("nodes", (set) => {
      set(name, {}, 0);
      if (node !== null) set("cazi_node_slots", { node }, 8);
    });
    const first = await read();
    expect([figureOf(first, name), figureOf(first, "cazi_node_slots", { node: "n1" })]).toEqual([0, 8]);
    node = null;
    expect(figureOf(await read(), "cazi_node_slots", { node: "n1" })).toBeUndefined();
  });

  it("are collected once for all who scrape at once, and at most once a second", async () => {
    const { clock, metrics } = await opened();
    let asked = 0;
    metrics.watch("slow", async () => {
      asked++;
      await Promise.resolve();
    });
    const texts = await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
    expect([asked, new Set(texts).size]).toEqual([1, 1]);
    clock.pass(999);
    await metrics.text();
    expect(asked).toBe(1);
    clock.pass(1);
    await metrics.text();
    expect(asked).toBe(2);
  });

  it("come without a source that fails or stays silent, and say which", async () => {
    const { metrics, read } = await opened();
    metrics.watch("broken", () => {
      throw new Error("no");
    });
    metrics.watch("silent", () => new Promise(() => undefined));
    metrics.watch("well", (set) => set("cazi_queue_age_seconds", {}, 4));
    const parsed = await read();
    const up = (source: string) => figureOf(parsed, "cazi_metrics_source_up", { source });
    expect([up("broken"), up("silent"), up("well")]).toEqual([0, 0, 1]);
    expect(figureOf(parsed, "cazi_queue_age_seconds")).toBe(4);
  });
});
