/** `agent template list|describe` and `agent init`. */
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Rejection } from "../../../kernel/errors.ts";
import { type Template, templates } from "../../policy/templates.ts";
import type { RunCommand } from "../agentIo.ts";
import { usage } from "../parseFlags.ts";

export const templateList: RunCommand = async (io, flags) => {
  if (flags.switches.has("json")) {
    const listed = templates.map(({ name, about }) => ({ name, about }));
    io.out(`${JSON.stringify({ type: "agent_template_list", templates: listed })}\n`);
  } else for (const { name, about } of templates) io.out(`${name.padEnd(18)} ${about}\n`);
  return 0;
};

export const templateDescribe: RunCommand = async (io, flags) => {
  const template = templateOf(flags.positionals[0]!);
  io.out(
    `${JSON.stringify({ type: "agent_template", ...template }, null, flags.switches.has("json") ? 0 : 2)}\n`,
  );
  return 0;
};

/** Writes a project into a folder; a file that is there is never replaced, and then nothing is written. */
export const init: RunCommand = async (io, flags) => {
  const template = templateOf(flags.texts.get("template") ?? "demo");
  const name = flags.positionals[0] ?? ".";
  const folder = resolve(io.cwd, name);
  const paths = Object.keys(template.files).map((file) => join(folder, file));
  const there = paths.find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (there !== undefined)
    throw new Rejection("PROJECT_EXISTS", `${there} is there already; nothing was written.`);
  for (const [file, text] of Object.entries(template.files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text, { flag: "wx" });
  }
  if (flags.switches.has("json")) {
    io.out(`${JSON.stringify({ type: "agent_init", template: template.name, folder, files: paths })}\n`);
  } else {
    for (const path of paths) io.out(`${path}\n`);
    io.err(`Next: cazi agent run --project ${name}\n`);
  }
  return 0;
};

function templateOf(name: string): Template {
  const found = templates.find((one) => one.name === name);
  if (found === undefined)
    throw usage(`There is no template ${name}.`, "`cazi agent template list` names them.");
  return found;
}
