/** Every command that there is. The files behind `load` are read when one of them runs. */
import { runFlags } from "../policy/configKeys.ts";
import type { AgentCommand } from "./agentIo.ts";
import { editTable } from "./editTable.ts";
import type { FlagTable } from "./parseFlags.ts";
import { projectTable } from "./projectTable.ts";
import { scheduleTable } from "./scheduleTable.ts";

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
    name: "init",
    usage: "[folder]",
    about: "Write a project to start from.",
    examples: ["agent init ./review --template=package-review"],
    positionals: [0, 1],
    flags: {
      template: { kind: "text", group: "What", form: "<name>", about: "which one", fallback: "demo" },
      ...form,
    },
    load: async () => (await import("./commands/templateCommands.ts")).init,
  },
  {
    name: "doctor",
    usage: "",
    about: "State every control and its true status, as one object.",
    examples: ["agent doctor", "agent doctor --project ./review"],
    positionals: [0, 0],
    flags: {
      project: { kind: "text", group: "What", form: "<folder>", about: "also what this project comes to" },
      policy: { kind: "text", group: "What", form: "<file>", about: "also what this policy comes to" },
      ...form,
    },
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "template list",
    usage: "",
    about: "List the projects to start from.",
    examples: ["agent template list"],
    positionals: [0, 0],
    flags: form,
    load: async () => (await import("./commands/templateCommands.ts")).templateList,
  },
  {
    name: "template describe",
    usage: "<name>",
    about: "Show what a template writes.",
    examples: ["agent template describe package-review"],
    positionals: [1, 1],
    flags: form,
    load: async () => (await import("./commands/templateCommands.ts")).templateDescribe,
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
      html: { kind: "text", group: "What", form: "<file>", about: "also write the run as one page" },
      force: { kind: "switch", group: "What", about: "with --html: overwrite a file that is no such page" },
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
  {
    name: "tool list",
    usage: "",
    about: "List every tool and what it needs.",
    examples: ["agent tool list"],
    positionals: [0, 0],
    flags: form,
    load: async () => (await import("./commands/toolCommands.ts")).toolList,
  },
  {
    name: "tool describe",
    usage: "<name>",
    about: "Say what a tool takes, gives and touches.",
    examples: ["agent tool describe readFile"],
    positionals: [1, 1],
    flags: form,
    load: async () => (await import("./commands/toolCommands.ts")).toolDescribe,
  },
  {
    name: "approval inbox",
    usage: "<approval log>",
    about: "List the calls that wait for a decision.",
    examples: ["agent approval inbox audit/approval.jsonl"],
    positionals: [1, 1],
    flags: form,
    load: async () => (await import("./commands/approvalCommands.ts")).approvalInbox,
  },
  ...(["allow", "deny"] as const).map(
    (decision): AgentCommand => ({
      name: `approval ${decision}`,
      usage: "<approval log> <approval id>",
      about: decision === "allow" ? "Allow one held call, once." : "Deny a held call.",
      examples: [`agent approval ${decision} audit/approval.jsonl <approval-id> --reason="reviewed diff"`],
      positionals: [2, 2],
      flags: { reason: { kind: "text", group: "What", form: "<text>", about: "why; it is kept" }, ...form },
      load: async () => {
        const { approvalAllow, approvalDeny } = await import("./commands/approvalCommands.ts");
        return decision === "allow" ? approvalAllow : approvalDeny;
      },
    }),
  ),
  {
    name: "hash",
    usage: "<file or folder>",
    about: "Print the integrity of a file, or of a package's folder, as a policy takes it.",
    examples: ["agent hash packages/left-pad.js", "agent hash packages/pad --kind=package"],
    positionals: [1, 1],
    flags: {
      kind: {
        kind: "text",
        group: "What",
        form: "<kind>",
        about: "file, or package: a folder with its package.json",
        fallback: "what is there",
      },
      ...form,
    },
    load: async () => (await import("./commands/hash.ts")).hash,
  },
  {
    name: "policy validate",
    usage: "[folder or file]",
    about: "Check a policy, its files and their integrity.",
    examples: ["agent policy validate --strict --project-confined ."],
    positionals: [0, 1],
    flags: {
      strict: {
        kind: "switch",
        group: "What",
        about: "refuse unknown and repeated keys, and weak integrity",
      },
      "project-confined": { kind: "switch", group: "What", about: "refuse paths that leave the folder" },
      ...form,
    },
    load: async () => (await import("./commands/policyCommands.ts")).policyValidate,
  },
  {
    name: "policy explain",
    usage: "[folder or file]",
    about: "Show the authority that a policy comes to, and what is not claimed.",
    examples: ["agent policy explain ./review"],
    positionals: [0, 1],
    flags: form,
    load: async () => (await import("./commands/policyCommands.ts")).policyExplain,
  },
  {
    name: "policy risk",
    usage: "[folder or file]",
    about: "List what a reviewer should look at.",
    examples: ["agent policy risk ./review"],
    positionals: [0, 1],
    flags: form,
    load: async () => (await import("./commands/policyCommands.ts")).policyRisk,
  },
  {
    name: "policy diff",
    usage: "<before> <after>",
    about: "Compare two policies; exit 1 when they differ.",
    examples: ["agent policy diff old/agent-policy.json agent-policy.json"],
    positionals: [2, 2],
    flags: form,
    load: async () => (await import("./commands/policyCommands.ts")).policyDiff,
  },
  ...projectTable,
  ...editTable,
  ...scheduleTable,
];
