/** The commands of durable jobs. */
import { runFlags } from "../policy/configKeys.ts";
import type { AgentCommand, RunCommand } from "./agentIo.ts";
import type { FlagTable } from "./parseFlags.ts";

const store: FlagTable = {
  store: {
    kind: "text",
    group: "Where",
    form: "<folder>",
    about: "the jobs' folder",
    fallback: ".cazi/agent/jobs",
  },
};
const form: FlagTable = {
  json: { kind: "switch", group: "Form", about: "JSON on one line" },
  human: { kind: "switch", group: "Form", about: "for people", fallback: "on" },
};
/** Each tick has a log of its own in the job's folder. */
const notOfJobs = ["audit-log", "run-id", "session-file"];
const startFlags = Object.fromEntries(Object.entries(runFlags).filter(([name]) => !notOfJobs.includes(name)));

type Commands = typeof import("./commands/scheduleCommands.ts");
const load = (name: keyof Commands) => async (): Promise<RunCommand> =>
  (await import("./commands/scheduleCommands.ts"))[name];

export const scheduleTable: readonly AgentCommand[] = [
  {
    name: "schedule start",
    usage: "[agent.js]",
    about: "Begin a durable job; nothing runs yet.",
    examples: [
      "agent schedule start --project ./review",
      "agent schedule start agent.js --job-id=nightly --tool=echo",
    ],
    positionals: [0, 1],
    flags: {
      "job-id": {
        kind: "text",
        group: "Where",
        form: "<id>",
        about: "the job's name",
        fallback: "a new one",
      },
      ...store,
      ...startFlags,
    },
    load: load("scheduleStart"),
  },
  {
    name: "schedule tick",
    usage: "<job id>",
    about: "Go on with a job until it waits or ends.",
    examples: ["agent schedule tick nightly", "agent schedule tick nightly --store ./jobs --json"],
    positionals: [1, 1],
    flags: { ...store, ...form },
    load: load("scheduleTick"),
  },
  {
    name: "schedule input",
    usage: "<job id>",
    about: "Give a job the input that it waits for.",
    examples: ["agent schedule input nightly --token <token> --json '{\"go\":true}'"],
    positionals: [1, 1],
    flags: {
      token: {
        kind: "text",
        group: "What",
        form: "<token>",
        about: "which wait; `schedule status` shows it",
      },
      json: { kind: "text", group: "What", form: "<json>", about: "the input", fallback: "standard input" },
      ...store,
    },
    load: load("scheduleInput"),
  },
  {
    name: "schedule resolve",
    usage: "<job id>",
    about: "Say what came of a call whose outcome is unknown.",
    examples: ['agent schedule resolve nightly --call 3 --result-json \'{"path":"a"}\''],
    positionals: [1, 1],
    flags: {
      call: { kind: "number", group: "What", form: "<n>", about: "number of the call" },
      "result-json": { kind: "text", group: "What", form: "<json>", about: "it happened, with this result" },
      retry: { kind: "switch", group: "What", about: "it did not happen: do it" },
      fail: { kind: "switch", group: "What", about: "tell the program that it failed" },
      ...store,
      ...form,
    },
    load: load("scheduleResolve"),
  },
  ...(
    [
      ["cancel", "End a job.", "scheduleCancel"],
      ["status", "Show where a job stands, with the tokens of its inputs.", "scheduleStatus"],
      ["replay", "Check and summarize the logs of a job's ticks.", "scheduleReplay"],
    ] as const
  ).map(
    ([word, about, name]): AgentCommand => ({
      name: `schedule ${word}`,
      usage: "<job id>",
      about,
      examples: [`agent schedule ${word} nightly`],
      positionals: [1, 1],
      flags: { ...store, ...form },
      load: load(name),
    }),
  ),
  {
    name: "schedule list",
    usage: "",
    about: "List the jobs of a store.",
    examples: ["agent schedule list --store ./jobs"],
    positionals: [0, 0],
    flags: { ...store, ...form },
    load: load("scheduleList"),
  },
];
