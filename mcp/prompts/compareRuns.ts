import type { Task } from "../../schemas/api/task.ts";
import { capOutput } from "../capOutput.ts";
import { evidenceCharsMax } from "../limits.ts";
import { taskUri } from "../resources/resourceLinks.ts";
import { isDone } from "../taskResult.ts";
import { differences } from "./differences.ts";
import { dataNotice, embeds, type PromptDefinition, says } from "./promptDefinition.ts";
import { taskEvidence } from "./taskEvidence.ts";

const differencesMax = 40;

export const compareRuns: PromptDefinition = {
  name: "compare_runs",
  title: "Compare two runs",
  description:
    "Gives two tasks side by side, with what differs in spec and outcome, and asks what explains it.",
  arguments: [
    { name: "first", title: "First", description: "A task's id.", required: true, completes: "task" },
    { name: "second", title: "Second", description: "Another's id.", required: true, completes: "task" },
  ],
  messages: async (client, { first, second }, call) => {
    const ids = [first!, second!];
    const [one, other] = await Promise.all(ids.map((id) => taskEvidence(client, id, call)));
    const outputs = await Promise.all(ids.map((id) => client.getTaskOutput(id)));
    const bothOver = isDone(one!.task) && isDone(other!.task);
    const compared = bothOver ? [await client.compareTasks(first!, second)] : [];
    return [
      ...one!.messages,
      ...other!.messages,
      ...compared.map((comparison) => embeds(taskUri.comparison(first!, second!), comparison)),
      ...outputs.map((output) => embeds(taskUri.output(output.task), capOutput(output, evidenceCharsMax))),
      says(`${findings(one!.task, other!.task)}\n\n${dataNotice}\n\n${steps}`),
    ];
  },
};

/** What a program can say of the two for certain. */
function findings(first: Task, second: Task): string {
  const same = first.spec_digest === second.spec_digest;
  const image = JSON.stringify(first.image) === JSON.stringify(second.image) ? "the same" : "another";
  const found = [
    ...differences(first.spec, second.spec, "/spec"),
    ...differences(outcome(first), outcome(second)),
  ].slice(0, differencesMax);
  return [
    `First: ${first.id} (${first.status}). Second: ${second.id} (${second.status}).`,
    same ? "Both ran the very same spec." : "Their specs differ.",
    `It was ${image} image. What differs, by JSON pointer:`,
    ...found.map((one) => `- ${JSON.stringify(one)}`.slice(0, 1_000)),
    ...(found.length === 0 ? ["- nothing"] : []),
  ].join("\n");
}

function outcome(task: Task): object {
  const { status, reason, exit_code, signal, oom_killed, attempt, retries_used, node, image, logs } = task;
  return { status, reason, exit_code, signal, oom_killed, attempt, retries_used, node, image, logs };
}

const steps = `Compare the two runs:
1. Say whether they came to the same result; if not, quote the first line of log or output where they part.
2. Say which difference explains it. With the same spec and image look at the node, the time, the network and what the command reads from outside.
3. Say what to try to be sure: a replay_task of one of them, or a spec with one thing changed. Do not submit it before you are told to.`;
