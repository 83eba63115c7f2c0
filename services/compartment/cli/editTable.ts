/** The commands that change a project's policy file. */
import type { AgentCommand, RunCommand } from "./agentIo.ts";
import type { FlagTable } from "./parseFlags.ts";

const flags: FlagTable = {
  project: { kind: "text", group: "Where", form: "<folder>", about: "the project", fallback: "." },
  policy: { kind: "text", group: "Where", form: "<file>", about: "its policy, by name" },
  json: { kind: "switch", group: "Form", about: "JSON on one line" },
  human: { kind: "switch", group: "Form", about: "for people", fallback: "on" },
};

type Commands = typeof import("./commands/editCommands.ts");

const edit = (
  name: string,
  load: keyof Commands,
  usage: string,
  about: string,
  example: string,
  count = 1,
): AgentCommand => ({
  name,
  usage,
  about,
  examples: [`agent ${name} ${example}`.trimEnd()],
  positionals: [count, count],
  flags,
  load: async (): Promise<RunCommand> => (await import("./commands/editCommands.ts"))[load],
});

export const editTable: readonly AgentCommand[] = [
  edit("add-tool", "addTool", "<name>", "Grant a tool in the policy.", "readFile --project ./review"),
  edit("remove-tool", "removeTool", "<name>", "Take a tool back.", "readFile"),
  edit("add-module", "addModule", "<name=path>", "Admit a module.", "./lib=lib/index.js"),
  edit("remove-module", "removeModule", "<name>", "Take a module back.", "./lib"),
  edit(
    "add-package",
    "addPackage",
    "<name=path>",
    "Admit a package and pin it.",
    "left-pad=packages/left-pad.js",
  ),
  edit("remove-package", "removePackage", "<name>", "Take a package back.", "left-pad"),
  edit(
    "add-import-hook",
    "addImportHook",
    "<name=path>",
    "Answer an import with a pinned file.",
    "cfg=hooks/cfg.js",
  ),
  edit("remove-import-hook", "removeImportHook", "<name>", "Take an import hook back.", "cfg"),
  edit(
    "set-context",
    "setContext",
    "<json>",
    "Set what the program sees as context.",
    '\'{"goal":"triage"}\'',
  ),
  edit("unset-context", "unsetContext", "", "Give no context.", "", 0),
  edit("set-budget", "setBudget", "<name> <n>", "Set a budget.", "max-steps 100000", 2),
  edit("unset-budget", "unsetBudget", "<name>", "Leave a budget at its default.", "max-steps"),
  edit("set-session", "setSession", "<file>", "Keep the turn id in a file.", "session.json"),
  edit("unset-session", "unsetSession", "", "Keep no session.", "", 0),
  edit("set-worker", "setWorker", "", "Ask for a thread of its own; it has one in any case.", "", 0),
  edit("unset-worker", "unsetWorker", "", "Do not ask for it.", "", 0),
];
