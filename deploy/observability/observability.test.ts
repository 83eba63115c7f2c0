import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeMetrics } from "../../services/kernel/metrics/describe.ts";
import { type Family, families } from "../../services/kernel/metrics/families.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";

const read = (...path: string[]) => readFileSync(join(projectRoot, ...path), "utf8");
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}
const rules = (
  parse(read("deploy", "observability", "alerts.yaml")) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);
const catalogue: Readonly<Record<string, Family>> = families;

/** Series of a histogram are named after its family. */
function familyOf(metric: string): Family | undefined {
  return catalogue[metric] ?? catalogue[metric.replace(/_(bucket|sum|count)$/, "")];
}
function metricsIn(text: string): string[] {
  return [...text.matchAll(/\bcazi_[a-z_]+\b/g)].map(([name]) => name);
}

describe("what is given to those on call", () => {
  it("names in its alerts and its dashboard only metrics that exist", () => {
    const dashboard = read("deploy", "observability", "dashboard.json");
    const named = [
      ...rules.flatMap(({ expr, annotations }) => metricsIn(expr + annotations.action)),
      ...metricsIn(dashboard),
    ];
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => familyOf(name) === undefined)).toEqual([]);
    expect(JSON.parse(dashboard)).toMatchObject({ title: "Cazi" });
  });

  it("selects and groups only by labels that the metrics have", () => {
    const wrong = rules.flatMap(({ alert, expr }) =>
      [...expr.matchAll(/(?:by \(([a-z, ]+)\) \()?[^()]*?\b(cazi_[a-z_]+)(?:\{([a-z]+)=)?/g)].flatMap(
        ([, by, metric, selected]) =>
          [...(by?.split(", ") ?? []), ...(selected ? [selected] : [])]
            .filter((label) => !(label in familyOf(metric!)!.labels))
            .map((label) => `${alert}: ${metric} has no label ${label}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("alerts on queue age, projector lag, dead letters, stuck tasks and storage, each with what to do", () => {
    const all = rules.map(({ expr }) => expr).join("\n");
    for (const metric of [
      "cazi_queue_age_seconds",
      "cazi_projector_lag_events",
      "cazi_relay_lag_events",
      "cazi_erasure_held_up_seconds",
      "cazi_dead_letters",
      "cazi_tasks_overdue",
      "cazi_stream_used_ratio",
      'cazi_stream_used_ratio{stream="OBJ_artifacts"}',
      "cazi_disk_used_ratio",
    ])
      expect(all).toContain(metric);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Cazi[A-Z]/);
      expect(["page", "ticket"]).toContain(labels.severity);
      expect(annotations.summary.endsWith("."), alert).toBe(true);
      expect(annotations.action.length, alert).toBeGreaterThan(20);
    }
  });

  it("has a page of all metrics that is as the catalogue: run `npx tsx services/kernel/metrics/describe.ts`", () => {
    expect(read("docs", "metrics.md")).toBe(describeMetrics());
  });
});
