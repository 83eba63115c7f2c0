import type { FeedEvent, FeedGap } from "../../../schemas/api/feed.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

export interface FeedOptions {
  readonly types?: string;
  readonly after?: string;
  readonly output: "table" | "jsonl";
}

/**
 * Prints the tenant's events as they come, one a line, over restarts of the server. As data each has its `place`, to go
 * on after it another time. What is missing is told on standard error.
 */
export async function feed(context: CliContext, options: FeedOptions): Promise<number> {
  const { types, after, output } = options;
  const follow = connect(context).followFeed({ types: types?.split(","), after });
  for await (const items of follow) {
    const lines = items.flatMap((item) => {
      if (item.kind !== "event") return [];
      return [output === "jsonl" ? JSON.stringify({ place: item.place, ...item.event }) : row(item.event)];
    });
    if (lines.length > 0) await context.output.data(`${lines.join("\n")}\n`);
    for (const item of items) if (item.kind === "gap") await context.output.message(gapText(item.gap));
  }
  return exitCodes.ok;
}

const TYPE_WIDTH = 16;

function row({ time, subject, data }: FeedEvent): string {
  const where = data?.node == null ? "" : `  attempt ${data.attempt} on ${data.node}`;
  return `${time}  ${(data?.type ?? "").padEnd(TYPE_WIDTH)}  ${subject}${where}`;
}

function gapText({ reason, from, to }: FeedGap): string {
  if (reason === "pruned") return `events ${from} to ${to} of the feed are not kept any more`;
  if (reason === "beyond") return "the place is beyond the end of the feed; going on with all there is";
  return "the place is of another feed; going on with all there is";
}
