/** The commands about a project as a whole: what ran, carrying it, making it as new. */
import type { AgentCommand } from "./agentIo.ts";
import type { FlagTable } from "./parseFlags.ts";

const form: FlagTable = {
  json: { kind: "switch", group: "Form", about: "JSON on one line" },
  human: { kind: "switch", group: "Form", about: "for people", fallback: "on" },
};
const project: FlagTable = {
  project: { kind: "text", group: "Where", form: "<folder>", about: "the project", fallback: "." },
};

export const projectTable: readonly AgentCommand[] = [
  {
    name: "history",
    usage: "[folder]",
    about: "List the recorded runs of a project, each checked.",
    examples: ["agent history ./review"],
    positionals: [0, 1],
    flags: { ...project, ...form },
    load: async () => (await import("./commands/history.ts")).history,
  },
  {
    name: "bundle",
    usage: "[folder]",
    about: "Write a project, and a run of it, as one file with one fingerprint.",
    examples: ["agent bundle ./review --audit-log=review/audit/run.jsonl --out=review.json"],
    positionals: [0, 1],
    flags: {
      ...project,
      policy: { kind: "text", group: "Where", form: "<file>", about: "its policy, by name" },
      "audit-log": { kind: "text", group: "What", form: "<file>", about: "a run of it, carried beside it" },
      out: {
        kind: "text",
        group: "What",
        form: "<file>",
        about: "a new file",
        fallback: "agent-bundle.json",
      },
      ...form,
    },
    load: async () => (await import("./commands/bundle.ts")).bundle,
  },
  {
    name: "bundle-verify",
    usage: "<bundle>",
    about: "Check that a bundle is what was bundled, its policy valid, its run intact and its own.",
    examples: ["agent bundle-verify review.json --expect-sha256=<hash>"],
    positionals: [1, 1],
    flags: {
      "expect-sha256": { kind: "text", group: "Trust", form: "<hash>", about: "refuse another fingerprint" },
      ...form,
    },
    load: async () => (await import("./commands/bundle.ts")).bundleVerify,
  },
  {
    name: "reset",
    usage: "[folder]",
    about: "Put the logs, jobs and session of a project aside, so that it is as new.",
    examples: ["agent reset --dry-run", "agent reset --rollback"],
    positionals: [0, 1],
    flags: {
      ...project,
      "dry-run": { kind: "switch", group: "What", about: "only say what would be put aside" },
      rollback: { kind: "switch", group: "What", about: "put the newest of it back" },
      ...form,
    },
    load: async () => (await import("./commands/reset.ts")).reset,
  },
  {
    name: "abi",
    usage: "",
    about: "State what programs and readers of logs may rely on, as one object.",
    examples: ["agent abi"],
    positionals: [0, 0],
    flags: form,
    load: async () => (await import("./commands/abi.ts")).abi,
  },
];
