/** Projects to start from: a program, its policy, and nothing that they do not need. */
import type { JsonObject } from "../membrane/jsonText.ts";

export interface Template {
  readonly name: string;
  readonly about: string;
  readonly files: Readonly<Record<string, string>>;
}

const budgets = {
  timeout_ms: 500,
  tool_timeout_ms: 250,
  max_state_bytes: 65_536,
  max_events: 32,
  max_event_bytes: 8192,
  max_tool_arg_bytes: 8192,
  max_tool_result_bytes: 8192,
  max_microtasks: 1000,
  max_steps: 100_000,
};
const reviewBudgets = { ...budgets, max_events: 16 };

function policy(name: string, of: JsonObject): string {
  const document = {
    schema_version: 1,
    profile: name,
    agent: "agent.js",
    audit_log: "audit/run.jsonl",
    ...of,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function review(name: string, about: string, folder: string, readme: string): Template {
  return {
    name,
    about,
    files: {
      "agent.js": `// Reads what was put into ${folder}/ and reports on it.
const { files } = callTool("listFiles", {});
for (const { path, bytes, readable } of files.slice(0, 8)) {
  if (!readable) continue;
  const { content } = callTool("readFile", { path });
  emit({ kind: "file", path, bytes, lines: content.split("\\n").length });
}
const report = "files: " + files.length + "\\n";
emit({ kind: "report", ...callTool("writeArtifact", { path: "report.md", content: report }) });
`,
      "agent-policy.json": policy(name, {
        tools: ["listFiles", "readFile", "writeArtifact"],
        fs_read: [folder],
        fs_write: "out",
        budgets: reviewBudgets,
      }),
      [`${folder}/README.md`]: readme,
    },
  };
}

export const templates: readonly Template[] = [
  {
    name: "blank",
    about: "A program that may do nothing but emit.",
    files: {
      "agent.js": `emit({ kind: "hello" });\n`,
      "agent-policy.json": policy("blank", { tools: [], budgets }),
    },
  },
  {
    name: "demo",
    about: "The round trip: an event, a granted tool, its result.",
    files: {
      "agent.js": `emit({ kind: "start", goal: context.goal });
const r = callTool("echo", { value: context.goal });
emit({ kind: "tool-result", r });
`,
      "agent-policy.json": policy("demo", { tools: ["echo"], context: { goal: "try it" }, budgets }),
    },
  },
  review("package-review", "Reads a package's files and reports.", "package", "Put the package here.\n"),
  review("ci-triage", "Reads the logs of a build and reports.", "logs", "Put the build's logs here.\n"),
  review("repo-review", "Reads a repository's files and reports.", "repo", "Put the files here.\n"),
  review("plugin-quarantine", "Reads a plugin that nobody trusts yet.", "plugin", "Put the plugin here.\n"),
];
