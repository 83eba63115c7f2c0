/** What is known of a package: its vulnerabilities and its metadata. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import { isName, type NamedEndpoint } from "./namedEndpoint.ts";

/** Newest first in the result; a package may have thousands. */
const VERSIONS_MAX = 200;

export const osvQuery: NamedEndpoint = {
  tool: "osv.query",
  pinned: "api.osv.dev",
  members: { package: "object", version: "string?" },
  args: "{package: {ecosystem, name}, version?}",
  result: "{vulns}",
  repeatable: true,
  fault({ package: of }) {
    const { ecosystem, name, ...rest } = of as JsonObject;
    if (typeof ecosystem !== "string" || typeof name !== "string") {
      return "package must have an ecosystem and a name.";
    }
    return Object.keys(rest).length === 0 ? null : "package has a member that the tool does not know.";
  },
  ask: (args) => ({
    method: "POST",
    path: "",
    headers: { "content-type": "application/json" },
    body: args,
  }),
  shape: (_args, answer) =>
    isJsonObject(answer) && (answer.vulns === undefined || Array.isArray(answer.vulns))
      ? { ...answer, vulns: answer.vulns ?? [] }
      : null,
};

export const npmMetadata: NamedEndpoint = {
  tool: "npm.metadata",
  pinned: "configured_npm_registry",
  members: { package: "string" },
  args: "{package}",
  result: "{name, dist_tags, versions, versions_total, latest}",
  repeatable: true,
  fault: ({ package: name }) => (isPackageName(name!) ? null : "package is not the name of a package."),
  ask: ({ package: name }) => ({
    method: "GET",
    path: `/${(name as string).replace("/", "%2f")}`,
    // The short form: the whole document of a package may be many megabytes.
    headers: { accept: "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8" },
    body: null,
  }),
  shape: (_args, answer) => metadataOf(answer),
};

function isPackageName(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  const parts = value.startsWith("@") ? value.slice(1).split("/") : [value];
  return parts.length === (value.startsWith("@") ? 2 : 1) && parts.every(isName);
}

function metadataOf(answer: JsonValue): JsonObject | null {
  if (!isJsonObject(answer) || !isJsonObject(answer.versions) || !isJsonObject(answer["dist-tags"]))
    return null;
  const tags = answer["dist-tags"];
  const names = Object.keys(answer.versions).reverse();
  const latest = answer.versions[String(tags.latest)];
  return {
    name: answer.name ?? null,
    dist_tags: tags,
    versions: names.slice(0, VERSIONS_MAX),
    versions_total: names.length,
    latest: latest !== undefined && isJsonObject(latest) ? latest : null,
  };
}
