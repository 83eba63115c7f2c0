/** The readers of GitHub. Each is one GET below `/repos/<owner>/<repo>`. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import { encodedPath, isCount, isName, isPath, type NamedEndpoint } from "./namedEndpoint.ts";

const HEADERS = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };
const PAGE_ITEMS = 100;

interface Reader {
  readonly members?: Readonly<Record<string, string>>;
  readonly path: (args: JsonObject) => string;
  readonly result: string;
  readonly shape?: (answer: JsonObject) => JsonObject | null;
}

const numbered = { number: "number" };
const ofRun = { run_id: "number" };
const page = (args: JsonObject) => `?per_page=${PAGE_ITEMS}&page=${(args.page as number | undefined) ?? 1}`;
const ref = (args: JsonObject, name: string) => encodedPath(args[name] as string);

const readers: Readonly<Record<string, Reader>> = {
  "github.issue.read": {
    members: numbered,
    path: ({ number }) => `/issues/${number}`,
    result: "the issue",
  },
  "github.pr.read": {
    members: numbered,
    path: ({ number }) => `/pulls/${number}`,
    result: "the pull request",
  },
  "github.pr.files.list": {
    members: { ...numbered, page: "number?" },
    path: (args) => `/pulls/${args.number}/files${page(args)}`,
    result: "{items}",
  },
  "github.release.latest.read": { path: () => "/releases/latest", result: "the release" },
  "github.file.read": {
    members: { path: "string", ref: "string?" },
    path: (args) =>
      `/contents/${ref(args, "path")}${args.ref === undefined ? "" : `?ref=${encodeURIComponent(args.ref as string)}`}`,
    result: "{path, sha, bytes, content}",
    shape: fileOf,
  },
  "github.compare.read": {
    members: { base: "string", head: "string" },
    path: (args) => `/compare/${ref(args, "base")}...${ref(args, "head")}`,
    result: "the comparison",
  },
  "github.commit.read": {
    members: { ref: "string" },
    path: (args) => `/commits/${ref(args, "ref")}`,
    result: "the commit",
  },
  "github.repo.read": { path: () => "", result: "the repository" },
  "github.workflow.run.read": {
    members: ofRun,
    path: ({ run_id }) => `/actions/runs/${run_id}`,
    result: "the run",
  },
  "github.workflow.jobs.list": {
    members: { ...ofRun, page: "number?" },
    path: (args) => `/actions/runs/${args.run_id}/jobs${page(args)}`,
    result: "{total_count, jobs}",
  },
  "github.check.runs.list": {
    members: { ref: "string", page: "number?" },
    path: (args) => `/commits/${ref(args, "ref")}/check-runs${page(args)}`,
    result: "{total_count, check_runs}",
  },
};

export const githubEndpoints: readonly NamedEndpoint[] = Object.entries(readers).map(([tool, reader]) => ({
  tool,
  pinned: "api.github.com",
  members: { owner: "string", repo: "string", ...reader.members },
  args: `{${["owner", "repo", ...Object.entries(reader.members ?? {}).map(([name, type]) => (type.endsWith("?") ? `${name}?` : name))].join(", ")}}`,
  result: reader.result,
  repeatable: true,
  fault: faultOf,
  ask: (args) => ({
    method: "GET",
    path: `/repos/${args.owner}/${args.repo}${reader.path(args)}`,
    headers: HEADERS,
    body: null,
  }),
  shape: (_args, answer) => shapeOf(reader, answer),
}));

function faultOf(args: JsonObject): string | null {
  for (const name of ["owner", "repo"]) if (!isName(args[name])) return `${name} is not a name.`;
  for (const name of ["number", "run_id", "page"]) {
    if (args[name] !== undefined && !isCount(args[name])) return `${name} must be a positive whole number.`;
  }
  for (const name of ["path", "ref", "base", "head"]) {
    if (args[name] !== undefined && !isPath(args[name])) return `${name} is not a path or a reference.`;
  }
  return null;
}

function shapeOf(reader: Reader, answer: JsonValue): JsonObject | null {
  if (Array.isArray(answer)) return { items: answer };
  if (!isJsonObject(answer)) return null;
  return reader.shape === undefined ? answer : reader.shape(answer);
}

function fileOf(answer: JsonObject): JsonObject | null {
  const { path, sha, size, content, encoding } = answer;
  if (typeof content !== "string" || encoding !== "base64") return null;
  return {
    path: path ?? null,
    sha: sha ?? null,
    bytes: size ?? null,
    content: Buffer.from(content, "base64").toString("utf8"),
  };
}
