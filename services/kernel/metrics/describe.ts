/** Writes docs/metrics.md from the catalogue: `npx tsx services/kernel/metrics/describe.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../projectRoot.ts";
import { type Family, families, type Section, sections } from "./families.ts";

const head = `# Metrics

<!-- Generated from services/kernel/metrics/families.ts by services/kernel/metrics/describe.ts. -->

Prometheus' text format. \`cazi up\` and \`cazi serve control-plane\` answer \`GET /metrics\` on the API's port; any process of
roles answers it, with \`/healthz\` and \`/readyz\`, on \`CAZI_METRICS_PORT\` where that is set.

* **Who may read it.** \`CAZI_METRICS=auto\` (the default) asks for no token while the API listens on loopback, as its probes
  do; on any other address it asks for a bearer token, because the figures tell how busy the place is and what its nodes are
  called. \`open\` never asks, \`off\` serves nothing. \`CAZI_METRICS_PORT\` never asks: it is set by whoever guards that port.
  No label holds a tenant, a task, an image or any text of a user.
* **What a scrape costs.** Figures come from memory and from the server's own counts of its streams, collected at most once
  a second and once for all who ask; Postgres is never asked. A source that does not answer within a second is left out, and
  \`cazi_metrics_source_up\` is 0 for it: absent means unknown.
* **Several processes** tell the same of tasks, nodes and streams, each as it sees it: take \`max\` of gauges. Counters are of
  what the process itself did: take \`sum\`. Nothing asks the clock of another machine.
* **Alerts**: \`deploy/observability/alerts.yaml\`, and a dashboard beside it.
`;

/** The page, as text. */
export function describeMetrics(): string {
  const parts = (Object.keys(sections) as Section[]).map((section) => {
    const own = (Object.entries(families) as [string, Family][]).filter(([, of]) => of.section === section);
    return `\n## ${sections[section]}\n\n| metric | kind | labels | says |\n|---|---|---|---|\n${own.map(row).join("")}`;
  });
  return head + parts.join("");
}

function row([name, { kind, labels, help }]: [string, Family]): string {
  return `| \`${name}\` | ${kind} | ${Object.entries(labels).map(label).join("; ")} | ${help} |\n`;
}

function label([name, values]: [string, readonly string[] | string]): string {
  const said = typeof values === "string" ? values : values.map((value) => `\`${value}\``).join(", ");
  return `\`${name}\`: ${said}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(join(projectRoot, "docs", "metrics.md"), describeMetrics());
}
