import { evidenceCharsMax } from "../limits.ts";
import { readNodePage } from "../pages.ts";
import { workloadSpecDocument } from "../specArgument.ts";
import { embeds, type PromptDefinition, says } from "./promptDefinition.ts";

const nodesMax = 50;

export const writeSpec: PromptDefinition = {
  name: "write_spec",
  title: "Write a spec for a goal",
  description: "Gives what a spec may say and what the nodes allow, and asks for a spec that reaches a goal.",
  arguments: [
    { name: "goal", title: "Goal", description: "What the task should bring about.", required: true },
  ],
  messages: async (client, { goal }) => {
    const nodes = await readNodePage(client, { limit: nodesMax, charsMax: evidenceCharsMax });
    return [
      embeds("cazi://schemas/workload-spec", workloadSpecDocument),
      embeds("cazi://nodes", nodes),
      says(`Write a WorkloadSpec, in YAML, for this goal:\n\n${goal}\n\n${rules}`),
    ];
  },
};

const rules = `Rules:
- Use only fields of the embedded schema; leave out what is already the default.
- command is an argv and never a shell string; for a shell write [sh, -c, "..."]. The image's ENTRYPOINT stays unless entrypoint is given.
- The container starts empty and keeps nothing: input comes by command and environment, results leave by standard output. Data goes to stdout, messages to stderr, and output_format says what stdout holds.
- Set timeout_seconds to what the job needs. Set max_retries only where running it twice does no harm.
- Ask for mounts, networks, labels and tags only where an embedded node has them. cazi/toolbox:latest (busybox) is always there.
- No secrets: the spec stays in the record. Say in rationale why the task exists; people read it.

Show the spec and say in two sentences how it reaches the goal. Submit it with submit_task only when you are told to.`;
