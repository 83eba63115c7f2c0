/** Every command that there is. The files behind `load` are read when one of them runs. */
import { runFlags } from "../policy/configKeys.ts";
import type { AgentCommand } from "./agentIo.ts";
import type { FlagTable } from "./parseFlags.ts";

export const form: FlagTable = {
  json: { kind: "switch", group: "Form", about: "JSON on one line" },
  human: { kind: "switch", group: "Form", about: "for people", fallback: "on" },
};

export const commandTable: readonly AgentCommand[] = [
  {
    name: "run",
    usage: "[agent.js]",
    about: "Run a program in a compartment.",
    examples: [
      'agent run agent.js --tool=echo --context-json=\'{"goal":"triage"}\'',
      "agent run --project ./review",
      "agent run agent.js --tool=readFile --fs-read=src --max-steps=100000 --json",
    ],
    positionals: [0, 1],
    flags: runFlags,
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "replay",
    usage: "<log> [other log]",
    about: "Check a run's log and summarize it, or compare two.",
    examples: ["agent replay audit.jsonl", "agent replay --diff --events before.jsonl after.jsonl"],
    positionals: [1, 2],
    flags: {
      diff: { kind: "switch", group: "What", about: "compare two logs; exit 1 when they differ" },
      events: { kind: "switch", group: "What", about: "with --diff: the events too" },
      "expect-head": {
        kind: "text",
        group: "Trust",
        form: "<hash>",
        about: "refuse a log with another head",
      },
      "allow-incomplete": {
        kind: "switch",
        group: "Trust",
        about: "accept a log without the end of its run",
      },
      ...form,
    },
    load: async () => (await import("./commands/replay.ts")).replay,
  },
];
