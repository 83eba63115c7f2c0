import type { GrantReply, ImageIdentity, PullFacts } from "../../../schemas/messages/node.ts";
import { childSpan, type Span } from "../../kernel/tracing/tracer.ts";
import type { ExecutionSpec } from "../executionSpec.ts";
import type { PullNewsKind, PullState } from "../ports.ts";
import type { AgentContext } from "./agentContext.ts";
import type { AttemptRecord } from "./attemptRecord.ts";
import { PullNews } from "./pullNews.ts";
import { NeverStarts, type StartWindow } from "./startWindow.ts";

type Yes = Extract<GrantReply, { answer: "yes" }>;

/**
 * The image that this attempt runs: the one that was resolved for the task, or else the spec's, pulled where it
 * must be, and from then on the only one that any attempt of the task runs. A pull is tried again, with its own
 * back-off, as long as the window is open.
 * @throws NeverStarts `image_unavailable`, `image_pull`, `start_limit`; Abandoned when the agent stops
 */
export async function resolveImage(
  context: AgentContext,
  attempt: AttemptRecord,
  granted: {
    readonly spec: ExecutionSpec;
    readonly yes: Yes;
    readonly window: StartWindow;
    /** `traceparent` of the attempt's span. */
    readonly within: string | null;
    /** Sends a report of all facts of now. */
    readonly report: () => void;
  },
): Promise<ImageIdentity> {
  const { spec, yes, window, within, report } = granted;
  const news = new PullNews({
    clock: context.clock,
    known: yes.pull,
    onFacts: (facts) => {
      attempt.pull = facts;
    },
    onNews: report,
  });
  const pull: { span: Span | null } = { span: null };
  const waiter = {
    registries: yes.secrets?.registries ?? {},
    deadlineMs: window.deadlineMs,
    get left() {
      return window.closed();
    },
    onPull: (state: PullState, kind: PullNewsKind) => {
      const attributes = { "cazi.image": state.ref };
      pull.span ??= childSpan(context.tracer, "pull", { parent: within, attributes });
      news.tell(state, kind);
    },
  };
  try {
    const outcome = await window.within(() => context.runtime.resolveImage(spec, yes.image, waiter));
    if (outcome.is === "unavailable") throw new NeverStarts("image_unavailable", outcome.message);
    if (outcome.is === "pull_failed") throw new NeverStarts("image_pull", outcome.message, outcome);
    attempt.image = outcome.image;
    news.finish();
    pull.span?.end();
    return outcome.image;
  } catch (error) {
    pull.span?.end(error);
    throw error instanceof NeverStarts ? whilePulling(error, news.facts) : error;
  }
}

/** Time that ended while the image was not there yet is the pull's failure. */
function whilePulling(never: NeverStarts, pull: PullFacts | null): NeverStarts {
  if (never.notStarted.reason !== "start_limit" || pull === null) return never;
  const { ref, bytes_done, bytes_total, tries, last_error } = pull;
  const why = last_error === null ? "" : `; the last failed try: ${last_error}`;
  return new NeverStarts(
    "image_pull",
    `${ref} was not pulled within the time granted (CAZI_START_LIMIT_SECONDS): ${bytes_done} of ${bytes_total} bytes known, try ${tries}${why}`,
  );
}
