/**
 * A run as one self-contained page, for people who would rather look than read: what it used of each budget, what was
 * denied, and everything in its order. No script, nothing loaded; every text of the log is escaped. Pure.
 */
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { AuditRecord } from "./readAuditLog.ts";

const TEXT_CHARACTERS_MAX = 4000;

const BEGINNING =
  '<!doctype html>\n<html lang="en"><head><meta name="generator" content="cazi agent replay">';

/** Whether a file's text begins as each page does that {@link renderPage} made: such a one may be made again. */
export function isPage(html: string): boolean {
  return html.startsWith(BEGINNING);
}

const style = `:root{color-scheme:light dark;--line:#8884;--bad:#c33;--good:#383;--held:#b70}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
td:first-child{white-space:nowrap;font-variant-numeric:tabular-nums}code,pre{font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
.bad{color:var(--bad)}.good{color:var(--good)}.held{color:var(--held)}meter{width:10rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}
tr:has(.bad){background:color-mix(in srgb,var(--bad) 9%,transparent)}
@media(max-width:40rem){td,th{padding:.3rem}meter{width:5rem}}`;

/** @param summary what `summarize` made of the same records */
export function renderPage(records: readonly AuditRecord[], summary: JsonObject): string {
  const title = `Run ${text(summary.run_id)}`;
  return `${BEGINNING}<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body>
<h1>${escapeHtml(title)}</h1>
${renderFacts(summary)}
<h2>Budgets</h2>
${renderBudgets(records, summary)}
<h2>Timeline</h2>
<table><thead><tr><th scope="col">ms</th><th scope="col">what</th><th scope="col">detail</th></tr></thead><tbody>
${records.map(renderRecord).join("\n")}
</tbody></table>
</body></html>
`;
}

function renderFacts(summary: JsonObject): string {
  const ok = summary.status === "ok";
  const facts: readonly (readonly [string, string])[] = [
    ["Program", escapeHtml(text(summary.agent))],
    [
      "End",
      `<span class="${ok ? "good" : "bad"}">${escapeHtml(text(summary.status))}</span> ${escapeHtml(text(summary.reason))}`,
    ],
    ["Events", escapeHtml(text(summary.events))],
    [
      "Tool calls",
      escapeHtml(
        `${text(summary.tool_calls)} run, ${text(summary.tool_denials)} denied, ${text(summary.tool_errors)} failed`,
      ),
    ],
    ["Head of the log", `<code>${escapeHtml(text(summary.head))}</code>`],
  ];
  return `<dl>${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;
}

/** Which figure of the run's end counts against which limit of its start. */
const counted: readonly (readonly [budget: string, used: string, scale: number])[] = [
  ["max_events", "events", 1],
  ["max_microtasks", "microtasks", 1],
  ["max_steps", "step_polls", 10_000],
  ["max_heap_mb", "heap_bytes", 1 / (1024 * 1024)],
];

function renderBudgets(records: readonly AuditRecord[], summary: JsonObject): string {
  const limits = (records[0]!.budgets ?? {}) as JsonObject;
  const used = (summary.used ?? {}) as JsonObject;
  const rows = counted.flatMap(([budget, name, scale]) => {
    const [limit, amount] = [limits[budget], used[name]];
    if (typeof limit !== "number" || typeof amount !== "number") return [];
    const value = Math.round(amount * scale);
    const meter = `<meter min="0" max="${limit}" value="${Math.min(value, limit)}"></meter>`;
    return [`<tr><td>${budget}</td><td>${meter}</td><td>${value} of ${limit}</td></tr>`];
  });
  return `<table><tbody>${rows.join("")}</tbody></table>`;
}

const bad = /denial|denied|error|timeout|exceeded|invalid|exception|unsupported|stale/;

function renderRecord(record: AuditRecord): string {
  const { type, seq: _seq, t_ms, ...detail } = record;
  const failed = bad.test(type) || (type === "run_end" && record.status !== "ok");
  const mark = failed ? "bad" : type.includes("pending") || type.includes("await") ? "held" : "";
  return `<tr><td>${escapeHtml(text(t_ms))}</td><td class="${mark}">${escapeHtml(type)}</td><td>${renderDetail(detail as JsonObject)}</td></tr>`;
}

const DETAIL_CHARACTERS_MAX = 200;

/** What says something stands open; fingerprints and sizes, and long details such as all of run_start, behind it. */
function renderDetail(detail: JsonObject): string {
  const members = Object.entries(detail);
  const telling = members.filter(([name]) => !/(_sha256|_bytes)$/.test(name));
  const brief = JSON.stringify(Object.fromEntries(telling));
  const isShort = brief.length < DETAIL_CHARACTERS_MAX;
  if (isShort && telling.length === members.length) return `<code>${escapeHtml(brief)}</code>`;
  const full = JSON.stringify(detail, null, 1);
  const shown = full.length > TEXT_CHARACTERS_MAX ? `${full.slice(0, TEXT_CHARACTERS_MAX)}…` : full;
  const summary = isShort ? `<code>${escapeHtml(brief)}</code>` : `${members.length} members`;
  return `<details><summary>${summary}</summary><pre>${escapeHtml(shown)}</pre></details>`;
}

function text(value: JsonValue | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function escapeHtml(raw: string): string {
  return raw.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
