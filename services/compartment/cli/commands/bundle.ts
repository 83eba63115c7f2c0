/** `agent bundle` and `agent bundle-verify`: a project as one file that can be carried, and checked where it arrives. */
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { readAuditLog } from "../../audit/readAuditLog.ts";
import { type Bundle, makeBundle, readBundle } from "../../bundle/bundle.ts";
import { projectFiles } from "../../bundle/projectFiles.ts";
import { plainLine } from "../../membrane/plainLine.ts";
import { admitModules } from "../../policy/admitModules.ts";
import { POLICY_FILE_NAME, parsePolicy } from "../../policy/policyFile.ts";
import { readBytes } from "../../policy/readSource.ts";
import { configOf } from "../../policy/settings.ts";
import type { RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";
import { resolveConfig } from "../resolveConfig.ts";
import { writeResult } from "../writeResult.ts";
import { trusted } from "./replay.ts";

/** Writes the bundle; an existing file is never replaced. */
export const bundle: RunCommand = async (io, flags) => {
  const named = flags.texts.has("project") || flags.texts.has("policy");
  const texts = named ? flags.texts : new Map([...flags.texts, ["project", flags.positionals[0] ?? "."]]);
  const config = resolveConfig({ ...flags, texts, positionals: [] }, io.cwd);
  // What does not hold together is not carried.
  admitModules(config);
  const log = flags.texts.get("audit-log");
  const made = makeBundle({
    policy: basename(config.policy!.path),
    files: projectFiles(config),
    audit: log === undefined ? null : auditOf(resolve(io.cwd, log), flags),
  });
  const out = resolve(io.cwd, flags.texts.get("out") ?? join(".", "agent-bundle.json"));
  writeResult(out, `${JSON.stringify(made)}\n`, {
    sources: [],
    force: false,
    isOwn: () => false,
    hint: "Name another file with --out, or move that one away.",
  });
  const facts = { type: "agent_bundle", path: out, sha256: made.sha256, files: made.files.length };
  io.out(flags.switches.has("json") ? `${JSON.stringify(facts)}\n` : `${out}\nsha256:${made.sha256}\n`);
  return 0;
};

function auditOf(path: string, flags: Parameters<RunCommand>[1]): Bundle["audit"] {
  const { head } = trusted(path, flags);
  return { head, text: readFileSync(path, "utf8") };
}

export const bundleVerify: RunCommand = async (io, flags) => {
  const path = resolve(io.cwd, flags.positionals[0]!);
  const reading = readBundle(readBytes(path).toString("utf8"));
  const expected = flags.texts.get("expect-sha256");
  const fault =
    "fault" in reading
      ? reading.fault
      : expected !== undefined && expected.replace(/^sha256:/, "") !== reading.bundle.sha256
        ? `its fingerprint is ${reading.bundle.sha256}, not ${expected}`
        : (policyFault(reading.bundle) ?? auditFault(reading.bundle));
  const sha256 = "bundle" in reading ? reading.bundle.sha256 : null;
  const facts = { type: "agent_bundle_verification", path, valid: fault === null, fault, sha256 };
  if (flags.switches.has("json")) io.out(`${JSON.stringify(facts)}\n`);
  else
    io.out(
      fault === null
        ? `${path} is intact: sha256:${sha256}\n`
        : `${plainLine(`${path} is refused: ${fault}.`)}\n`,
    );
  return fault === null ? 0 : EXIT.badData;
};

/** The policy of the bundle must be one, and be about files that are in it. */
function policyFault({ policy, files }: Bundle): string | null {
  const text = files.find(({ path }) => path === policy)!.text;
  const { settings, faults } = parsePolicy(text, "/bundle");
  const error = faults.find(({ level }) => level === "error");
  if (error !== undefined) return `its policy is not valid: ${error.pointer || "/"} ${error.message}`;
  const { agent } = configOf(settings, { path: join("/bundle", POLICY_FILE_NAME), sha256: "" });
  if (agent === null || files.some(({ path }) => join("/bundle", path) === agent.path)) return null;
  return `its program ${agent.name} is not in it`;
}

/** The run must be intact, whole, and one of the program that is in the bundle. */
function auditFault({ audit, files }: Bundle): string | null {
  if (audit === null) return null;
  const reading = readAuditLog(audit.text);
  if (reading.state !== "complete") return "its run is not an intact, whole log";
  if (reading.head !== audit.head) return "the head of its run is another";
  const program = reading.records[0]!.agent_sha256;
  return files.some(({ sha256 }) => sha256 === program) ? null : "its run is one of another program";
}
