/** The one place that knows the metrics library. A registry of its own: nothing of a process is global. */
import type { Counter, Gauge, Histogram } from "prom-client";
import type { Clock } from "../clock.ts";
import { type Family, type FamilyName, families } from "./families.ts";
import type { GaugeSource, Metrics, SetGauge } from "./metrics.ts";

/** Two scrapers, or a person who reloads, cost one collection. */
const COLLECT_EVERY_MS = 1_000;
/** A source that does not answer must not hold up the others: a scrape gives up after 10 s. */
const SOURCE_WAIT_MS = 1_000;

type Instrument = Counter | Gauge | Histogram;

/** Loads the library and makes every family. */
export async function openMetrics(ports: { readonly clock: Clock }): Promise<Metrics> {
  const { clock } = ports;
  // Loaded here and not above: what never serves metrics never pays for it.
  const prom = await import("prom-client");
  const registry = new prom.Registry();
  const instruments = Object.fromEntries(
    Object.entries(families).map(([name, family]) => [name, make(prom, registry, name, family)]),
  ) as unknown as Record<FamilyName, Instrument>;
  const sources = new Map<string, GaugeSource>();
  let collected: { readonly at: number; readonly text: Promise<string> } | null = null;

  const set: SetGauge = (name, labels, value) =>
    (instruments[name] as Gauge).set(labels as Record<string, string>, value);

  async function collect(): Promise<string> {
    for (const [name, { kind, labels }] of Object.entries(families)) {
      if (kind !== "gauge") continue;
      const gauge = instruments[name as FamilyName] as Gauge;
      gauge.reset();
      // One without labels would begin at 0. Of what nobody knows nothing is said.
      if (Object.keys(labels).length === 0) gauge.remove();
    }
    await Promise.all(
      [...sources].map(async ([source, read]) => {
        const up = await answersInTime(read, set);
        set("cazi_metrics_source_up", { source }, up ? 1 : 0);
      }),
    );
    return registry.metrics();
  }

  return {
    add: (name, labels, by = 1) => (instruments[name] as Counter).inc(labels as Record<string, string>, by),
    observe: (name, labels, value) =>
      (instruments[name] as Histogram).observe(labels as Record<string, string>, value),
    watch: (source, read) => void sources.set(source, read),
    text: () => {
      const now = clock.monotonicMs();
      if (collected === null || now - collected.at >= COLLECT_EVERY_MS)
        collected = { at: now, text: collect() };
      return collected.text;
    },
  };
}

function make(
  prom: typeof import("prom-client"),
  registry: InstanceType<typeof import("prom-client").Registry>,
  name: string,
  family: Family,
): Instrument {
  const { help, labels, buckets } = family;
  const config = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  switch (family.kind) {
    case "histogram":
      return new prom.Histogram({ ...config, buckets: [...(buckets ?? [])] });
    case "counter": {
      const counter = new prom.Counter(config);
      // An increase from nothing to 1 is no increase to Prometheus: what can be listed begins at 0.
      for (const one of combinations(labels)) counter.inc(one, 0);
      return counter;
    }
    case "gauge":
      return new prom.Gauge(config);
  }
}

/** All label sets where every label lists its values; none where one does not. */
function combinations(labels: Family["labels"]): Record<string, string>[] {
  let sets: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    if (typeof values === "string") return [];
    sets = sets.flatMap((one) => values.map((value) => ({ ...one, [label]: value })));
  }
  return sets;
}

/** What a source says too late is not heard: the next collection has begun from nothing by then. */
async function answersInTime(read: GaugeSource, set: SetGauge): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let open = true;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), SOURCE_WAIT_MS);
  });
  const heard: SetGauge = (name, labels, value) => {
    if (open) set(name, labels, value);
  };
  const asked = (async () => {
    await read(heard);
    return true;
  })().catch(() => false);
  const answer = await Promise.race([asked, late]);
  open = false;
  clearTimeout(timer);
  return answer;
}
