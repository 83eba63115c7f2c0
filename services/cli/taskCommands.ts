/** The commands about tasks and nodes, which talk to the API. */
import { type Command, Option } from "commander";
import { type AddCommand, formatOption, type RunStart, several, wholeNumber } from "./commandKit.ts";
import { formats } from "./output/render.ts";

const attemptMax = 1_000_000;
const listMax = 1_000_000;
const offsetMax = 999_999_999_999_999;
const keyOption = () =>
  new Option("--idempotency-key <key>", "the same key and request create once, for ever");
const streamOption = () => new Option("--stream <stream>", "only this stream").choices(["stdout", "stderr"]);

export function addTaskCommands(add: AddCommand, run: RunStart): void {
  addCreating(add, run);
  addReading(add, run);
  addOutput(add, run);
  addArtifacts(add, run);
  addActing(add, run);
}

function addCreating(add: AddCommand, run: RunStart): void {
  add("run [file]", {
    about:
      "submit a spec (YAML or JSON; - for standard input) or a script, print its output, exit as the task does",
    examples: [
      "cazi run deploy/examples/hello.yaml",
      "cazi run - < task.yaml",
      "cazi run --script report.js --tool readFile --fs-read data.txt",
    ],
  })
    .option("--script <file>", "JavaScript, run in a compartment instead of a container")
    .option("--project <folder>", "an agent project (agent-policy.json), run in a compartment")
    .option("--tool <name>", "of a script: grant a tool; may be given several times", several)
    .option(
      "--process-image <image>",
      "of a script: what commands of its tool process run in, each as a task",
    )
    .option("--budget <name=n>", "of a script: such as max_events=500; may be given several times", several)
    .option("--context-json <json>", "of a script: what it sees as context")
    .option(
      "--fs-read <path>",
      "of a script: a file or folder whose texts it may read; may be given several times",
      several,
    )
    .option("--timeout <seconds>", "of a script: longest run", wholeNumber(1, 604_800))
    .option("--detach-on-interrupt", "Ctrl-C leaves the task running instead of cancelling it")
    .option("-q, --quiet", "no messages of Cazi's own about how the task ended")
    .addOption(keyOption())
    .action((file, options) =>
      run(async (context) => (await import("./commands/run.ts")).run(context, file, options)),
    );
  add("submit <file>", {
    about: "submit a spec (YAML or JSON; - for standard input) and print the task's id",
    examples: ["cazi submit task.yaml", "cazi submit task.yaml --idempotency-key nightly-2026-11-29 -o json"],
  })
    .addOption(keyOption())
    .addOption(formatOption("table"))
    .action((file, options) =>
      run(async (context) => (await import("./commands/submit.ts")).submit(context, file, options)),
    );
  const replay = add("replay [id]", {
    about:
      "run exact specs and images again as new tasks, and print the new ids: of one task, or of all that match",
    examples: [
      'cazi replay "$id"',
      'cazi logs -f "$(cazi replay "$id")"',
      'cazi replay "$id" --verify',
      "cazi replay --status failed --since 1h",
    ],
  });
  withBulk(replay, "replay")
    .option("--reason <reason>", "of several: only that ended for this reason, such as exit or timeout")
    .option(
      "--verify",
      "wait for its end and compare exit code and output with the task's: exit 0 the same, 1 different, 125 never ran",
    )
    .addOption(keyOption())
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/replay.ts")).replayOneOrMany(context, id, options)),
    );
}

/** What tasks are selected by; `--reason` is each command's own, for a cancel has one too. */
function withSelectors(command: Command): Command {
  return command
    .option("--status <status>", "only this status; may be given several times", several)
    .option("--label <name[=value]>", "only with this label; may be given several times", several)
    .option("--name <name>", "only of exactly this name")
    .option("--image <image>", "only whose spec names this image; without a tag, latest is meant")
    .option("--node <node>", "only whose last attempt is or was on this node")
    .option("--replay-of <id>", "only replays of this task")
    .option("--exit-code <code>", "only that ended with this code", wholeNumber(0, 255))
    .option("--since <time>", "only submitted since: 15m, 1h or 2d ago, a day, or a time of RFC 3339")
    .option("--until <time>", "only submitted before");
}

function withFilters(command: Command): Command {
  return withSelectors(command).option(
    "--reason <reason>",
    "only that ended for this reason, such as exit or timeout",
  );
}

function withBulk(command: Command, action: string): Command {
  return withSelectors(command)
    .option("--dry-run", `of several: only show which it would ${action}`)
    .option("-y, --yes", `of several: ${action} them without asking`);
}

function addReading(add: AddCommand, run: RunStart): void {
  add("get <id>", { about: "print one task", examples: ['cazi get "$id"', 'cazi get "$id" -o yaml'] })
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/get.ts")).get(context, id, options)),
    );
  const list = add("list", {
    about: "print tasks, newest first",
    examples: [
      "cazi list",
      "cazi list --status failed --label team=a -o jsonl",
      "cazi list --image alpine --since 1h",
    ],
  });
  withFilters(list)
    .option("--limit <count>", "how many", wholeNumber(1, listMax), 50)
    .option("--cursor <cursor>", "go on behind an earlier page")
    .addOption(formatOption("table"))
    .action((options) => run(async (context) => (await import("./commands/list.ts")).list(context, options)));
  add("events <id>", {
    about: "print a task's history, oldest first",
    examples: ['cazi events "$id"', 'cazi events "$id" -o jsonl'],
  })
    .option("--limit <count>", "how many", wholeNumber(1, listMax), 1000)
    .option("--cursor <cursor>", "go on behind an earlier page")
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/events.ts")).events(context, id, options)),
    );
  addFeed(add, run);
}

function addFeed(add: AddCommand, run: RunStart): void {
  add("feed", {
    about: "print events of all tasks as they happen, until Ctrl-C",
    examples: ["cazi feed", "cazi feed --types failed,cancelled -o jsonl", "cazi feed --after 0"],
  })
    .option("--types <transitions>", "only these, separated by commas")
    .option("--after <place>", "only what comes after this place of an event; 0 for all there is")
    .addOption(formatOption("table", ["table", "jsonl"]))
    .action((options) => run(async (context) => (await import("./commands/feed.ts")).feed(context, options)));
}

function addOutput(add: AddCommand, run: RunStart): void {
  add("logs <id>", {
    about: "print what a task printed: its stdout to stdout, its stderr to stderr",
    examples: [
      'cazi logs -f "$id"',
      'cazi logs "$id" --stream stderr -o jsonl',
      'cazi logs "$id" --since 10m --grep error -i',
    ],
  })
    .option("-f, --follow", "go on until the task is over")
    .option("--tail <count>", "only the last so many entries", wholeNumber(1, 1000))
    .option("--after <position>", "only what comes after this position of an entry")
    .option("--offset <bytes>", "begin at this byte of --stream", wholeNumber(0, offsetMax))
    .option("--since <time>", "only lines read since: 90s, 10m or 2h ago, a day, or a time of RFC 3339")
    .option("--until <time>", "only lines read before")
    .option("--grep <text>", "only lines that hold this text, as it is")
    .option("-i, --ignore-case", "with --grep: upper and lower case are the same")
    .option("--attempt <number>", "only this attempt", wholeNumber(1, attemptMax))
    .addOption(streamOption())
    .addOption(formatOption("raw", ["raw", "json", "jsonl", "yaml"]))
    .action((id, options) =>
      run(async (context) => (await import("./commands/logs.ts")).logs(context, id, options)),
    );
  add("output <id>", {
    about: "print a task's standard output, parsed as its spec says",
    examples: ['cazi output "$id" -o json', 'cazi output "$id" --raw > bytes'],
  })
    .option("--raw", "the bytes themselves")
    .option("--attempt <number>", "with --raw: of this attempt, not the last", wholeNumber(1, attemptMax))
    .addOption(streamOption().implies({ raw: true }))
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/output.ts")).output(context, id, options)),
    );
}

function addArtifacts(add: AddCommand, run: RunStart): void {
  const group = add("artifacts <id>", {
    about: "list the files that a task published, or get one of them",
    examples: [
      'cazi artifacts "$id"',
      'cazi artifacts get "$id" report.csv',
      'cazi artifacts get "$id" out/a.json -o -',
    ],
  })
    // Without its short form: after `get` that is where the file goes.
    .addOption(new Option("--output <format>", "form of the data").choices(formats).default("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/artifacts.ts")).artifacts(context, id, options)),
    );
  group
    .command("list <id>")
    .description("the same as without `list`")
    .addOption(new Option("--output <format>", "form of the data").choices(formats).default("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/artifacts.ts")).artifacts(context, id, options)),
    );
  group
    .command("get <id> <name>")
    .description("write a file under its own name here, or where -o says")
    .option("-o, --file <file>", "write it there; - for standard output")
    .option("--force", "overwrite what is there")
    .action((id, name, options) =>
      run(async (context) =>
        (await import("./commands/getArtifact.ts")).getArtifact(context, id, name, options),
      ),
    );
}

function addActing(add: AddCommand, run: RunStart): void {
  const cancel = add("cancel [id]", {
    about: "cancel a task, or all that match and are not over; safe to repeat",
    examples: [
      'cazi cancel "$id"',
      'cazi cancel "$id" --reason "wrong input" && cazi wait "$id"',
      "cazi cancel --label batch=7 --dry-run",
    ],
  });
  withBulk(cancel, "cancel")
    .option("--reason <text>", "why, for whoever reads the record")
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/cancel.ts")).cancelOneOrMany(context, id, options)),
    );
  add("erase <id>", {
    about:
      "erase a task that is over: record, output and files, for good; for admins. Nothing of it can be read any more; bytes stay on the server's disk until NATS rewrites the file",
    examples: ['cazi erase "$id"', 'cazi erase "$id" --yes -o json'],
  })
    .option("--yes", "without asking")
    .addOption(formatOption("table"))
    .action((id, options) =>
      run(async (context) => (await import("./commands/erase.ts")).erase(context, id, options)),
    );
  add("wait <id>", {
    about: "wait for a task's end and exit as the task did",
    examples: ['cazi wait "$id"; echo $?', 'cazi wait "$id" --timeout 60 -o json'],
  })
    .option("--timeout <seconds>", "stop waiting after so long, exit 125", wholeNumber(0, 31_536_000))
    .addOption(formatOption(undefined))
    .action((id, options) =>
      run(async (context) => (await import("./commands/wait.ts")).wait(context, id, options)),
    );
}
