/** The lives of an attempt on this node: offered, found again, lost, or cancelled before anything of it was here. */
import type { ImageIdentity, Report } from "../../../schemas/messages/node.ts";
import { CaziError, invariant } from "../../kernel/errors.ts";
import { childSpan, inSpan, type Span, type SpanAttributes } from "../../kernel/tracing/tracer.ts";
import { toAccess } from "../artifacts/collectArtifacts.ts";
import { type ExecutionSpec, parseExecutionSpec } from "../executionSpec.ts";
import { LogPump } from "../output/logPump.ts";
import { OutputCollector } from "../output/outputCollector.ts";
import type { AttemptTerms, LedgerPosition, OutputOffsets, RuntimeAttempt } from "../ports.ts";
import { untilDone } from "../repeat.ts";
import { bringStdin } from "../stdin/bringStdin.ts";
import type { AgentContext } from "./agentContext.ts";
import { askGrant, type GrantAnswer } from "./askGrant.ts";
import type { AttemptRecord } from "./attemptRecord.ts";
import { withCaziEnvironment } from "./containerEnvironment.ts";
import { Reporter } from "./reporter.ts";
import { resolveImage } from "./resolveImage.ts";
import { NeverStarts, StartWindow } from "./startWindow.ts";
import { type AttemptOutput, lostContainer, superviseAttempt } from "./superviseAttempt.ts";
import { withTraceEnvironment } from "./traceEnvironment.ts";

type Yes = Extract<GrantAnswer["reply"], { answer: "yes" }>;

const fromTheStart: OutputOffsets = { stdout: 0, stderr: 0 };

/**
 * An offered or desired attempt: asks for the grant, and on yes runs it to its end.
 * @returns `held` when it ended or will never start and that is reported; `refused` when the grant said no
 */
export async function runGranted(context: AgentContext, attempt: AttemptRecord): Promise<"held" | "refused"> {
  const { reply, sentAtMs } = await askGrant(context, attempt);
  attempt.ackOffer();
  if (reply.answer === "no") {
    context.log.debug({ ...attempt.ref, reason: reply.reason }, "the grant is refused");
    return "refused";
  }
  attempt.state = "granted";
  attempt.grantedAt = reply.as_of;
  attempt.artifactAccess = toAccess(reply);
  const window = new StartWindow(context, attempt, sentAtMs + reply.start_within_ms);
  const span = childSpan(context.tracer, "attempt", {
    parent: reply.traceparent,
    kind: "consumer",
    attributes: attributesOf(context, attempt),
  });
  await inSpan(span, async () => {
    await runInWindow(context, attempt, { yes: reply, window, span });
    if (context.tracer.on) span.set(outcomeOf(attempt));
  });
  return "held";
}

/** What the grant of an attempt brings, and the span that all of it belongs to. */
interface Granted {
  readonly yes: Yes;
  readonly window: StartWindow;
  readonly span: Span;
}

async function runInWindow(context: AgentContext, attempt: AttemptRecord, granted: Granted): Promise<void> {
  const reporter = reporterOf(context, attempt);
  const { window, span } = granted;
  try {
    const started = await prepareAndStart(context, attempt, granted);
    window.dispose();
    if (started === "failed") return await hold(attempt, reporter);
    await inSpan(childSpan(context.tracer, "run", { parent: span.traceparent }), () =>
      superviseAttempt(context, attempt, { ...started, ranMs: 0, reporter }),
    );
  } catch (error) {
    if (!(error instanceof NeverStarts)) throw error;
    await reportNever(context, attempt, error.notStarted);
  } finally {
    window.dispose();
  }
}

function attributesOf({ node }: AgentContext, { ref }: AttemptRecord) {
  return { "cazi.task": ref.task, "cazi.tenant": ref.tenant, "cazi.attempt": ref.attempt, "cazi.node": node };
}

/** How it ended, for whoever reads the trace. */
function outcomeOf({ ended, notStarted }: AttemptRecord): SpanAttributes {
  if (notStarted !== null) return { "cazi.not_started": notStarted.reason };
  return ended === null || ended.exit_code === null ? {} : { "cazi.exit_code": ended.exit_code };
}

/** An attempt that ran or runs without this agent's watching: followed from the bytes that LOGS already has. */
export async function adopt(
  context: AgentContext,
  attempt: AttemptRecord,
  found: { readonly container: RuntimeAttempt; readonly terms: AttemptTerms | null },
): Promise<void> {
  const { container } = found;
  const terms = found.terms ?? unknownTerms(context);
  attempt.grantedAt = found.terms?.grantedAt ?? null;
  attempt.image = terms.image;
  attempt.state = "running";
  attempt.startedAt = await untilDone(() => context.runtime.startedAt(attempt.ref), { life: context.life });
  const now = context.clock.now();
  await superviseAttempt(context, attempt, {
    terms,
    ranMs: Math.max(0, now - (attempt.startedAt ?? now)),
    output: resumedOutput(context, attempt, { terms, running: container.state === "running" }),
    reporter: reporterOf(context, attempt),
  });
}

const neverSeenToStart =
  "the agent ended while it started the container, which has not run as far as the engine tells; " +
  "it is not started again, because that start may still be under way";

/**
 * An attempt whose marker is here and whose container is not, or has not run: a start may have been asked for, so it is
 * never started again.
 */
export async function reportLost(
  context: AgentContext,
  attempt: AttemptRecord,
  { terms, created }: { readonly terms: AttemptTerms | null; readonly created: boolean },
): Promise<void> {
  attempt.state = "running";
  attempt.grantedAt = terms?.grantedAt ?? null;
  attempt.image = terms?.image ?? null;
  const stored = await storedOffsets(context, attempt);
  attempt.logCounts = () => ({
    stdout: { stored: stored.stdout, dropped: 0 },
    stderr: { stored: stored.stderr, dropped: 0 },
  });
  attempt.ended = lostContainer(context.clock.now(), created ? neverSeenToStart : undefined);
  await hold(attempt, reporterOf(context, attempt));
}

/** An attempt that will never start here. */
export async function reportNever(
  context: AgentContext,
  attempt: AttemptRecord,
  notStarted: NonNullable<Report["not_started"]>,
): Promise<void> {
  if (attempt.state === "asking") attempt.state = "preparing";
  attempt.notStarted = notStarted;
  if (context.runtime.outlivesAgent) {
    await untilDone(() => keepWord(context, attempt, notStarted), {
      life: context.life,
      onFailure: (error) => context.log.error({ ...attempt.ref, error }, "the marker cannot be written"),
    });
  }
  await hold(attempt, reporterOf(context, attempt));
}

/**
 * A marker keeps the word that it never starts: a later life of the agent, granted the same attempt again before the
 * ledger knows, must not start it. Where the stop is the ledger's own, no grant comes any more: a disk that takes no
 * marker then holds up no cancel.
 */
async function keepWord(
  { markers, log }: AgentContext,
  { ref, stop }: AttemptRecord,
  notStarted: NonNullable<Report["not_started"]>,
): Promise<void> {
  try {
    await markers.write({ ref, terms: null, notStarted });
  } catch (error) {
    if (stop.by !== "cancel" && stop.by !== "settled") throw error;
    log.warn({ ...ref, error }, "the marker of an attempt that the ledger has stopped cannot be written");
  }
}

/** Stores the newest facts of a held attempt once more. */
export async function reportAgain(context: AgentContext, attempt: AttemptRecord): Promise<void> {
  await reporterOf(context, attempt).send();
}

async function hold(attempt: AttemptRecord, reporter: Reporter): Promise<void> {
  await reporter.send();
  attempt.hold();
}

async function prepareAndStart(
  context: AgentContext,
  attempt: AttemptRecord,
  granted: Granted,
): Promise<{ terms: AttemptTerms; output: AttemptOutput } | "failed"> {
  const { yes, window, span } = granted;
  const within = { parent: span.traceparent };
  const own = withCaziEnvironment(readSpec(yes.spec), attempt.ref, yes);
  const spec = withTraceEnvironment(own, { ...yes, traceparent: span.traceparent ?? yes.traceparent });
  attempt.state = "preparing";
  const image = await resolveImage(context, attempt, {
    spec,
    yes,
    window,
    within: span.traceparent,
    report: () => void reporterOf(context, attempt).send().catch(nobodyWaits),
  });
  await bringStdin(context, attempt, { yes, spec, window });
  const terms = termsOf(yes, spec, image);
  const output = await inSpan(childSpan(context.tracer, "create", within), () =>
    create(context, attempt, { spec, terms, window, secretFiles: yes.secrets?.files ?? {} }),
  );
  window.check();
  const started = await inSpan(childSpan(context.tracer, "start", within), () =>
    start(context, attempt, window),
  );
  return started ? { terms, output: watched(output) } : "failed";
}

/** Makes what will run, with its output attached and its marker written: all but the start. */
async function create(
  context: AgentContext,
  attempt: AttemptRecord,
  of: {
    readonly spec: ExecutionSpec;
    readonly terms: AttemptTerms;
    readonly window: StartWindow;
    readonly secretFiles: Readonly<Record<string, string>>;
  },
): Promise<AttemptOutput> {
  const { runtime } = context;
  const { spec, terms, window, secretFiles } = of;
  const created = await window.within(() => runtime.create(attempt.ref, spec, terms, secretFiles));
  if (created.is === "refused") throw new NeverStarts("runtime_refused", created.message);
  if (created.is === "exists") await window.within(() => mustNotHaveRun(context, attempt));
  const output = outputOf(context, attempt, { terms, from: fromTheStart });
  await window.within(async () => {
    await Promise.all([
      output.collector.attach(),
      runtime.outlivesAgent ? context.markers.write({ ref: attempt.ref, terms, notStarted: null }) : null,
    ]);
  });
  return output;
}

/** A report that nobody waits for is Abandoned when the agent stops: the next life reports anew. */
function nobodyWaits(): void {}

/** A container of this fence that ran already is another life's: this one breaks off and the next beat adopts it. */
async function mustNotHaveRun(context: AgentContext, attempt: AttemptRecord): Promise<void> {
  const startedAt = await context.runtime.startedAt(attempt.ref);
  invariant(startedAt === null, `the container of ${attempt.ref.fence} was started by an earlier life`);
}

/** Starts what is created. False when the engine could not; then `attempt.ended` says why. */
async function start(context: AgentContext, attempt: AttemptRecord, window: StartWindow): Promise<boolean> {
  for (;;) {
    try {
      const outcome = await context.runtime.start(attempt.ref);
      attempt.startedAt = context.clock.now();
      if (outcome.is !== "failed") return true;
      attempt.startedAt = null;
      attempt.ended = {
        ...lostContainer(context.clock.now()),
        failure: "runtime_error",
        message: outcome.message,
      };
      return false;
    } catch (error) {
      context.log.warn({ ...attempt.ref, error }, "whether the start happened is not known");
    }
    if (await isUnderWay(context, attempt)) return true;
    if (closed(window)) return await giveUpUnknownStart(context, attempt);
  }
}

/** After a start whose answer was lost: true when the container runs or ran. */
async function isUnderWay(context: AgentContext, attempt: AttemptRecord): Promise<boolean> {
  attempt.startedAt = await untilDone(() => context.runtime.startedAt(attempt.ref), { life: context.life });
  return attempt.startedAt !== null;
}

function closed(window: StartWindow): boolean {
  try {
    window.check();
    return false;
  } catch (error) {
    if (error instanceof NeverStarts) return true;
    throw error;
  }
}

/** The engine may still be at it: the container is taken away, and its attempt counts as one that may have run. */
async function giveUpUnknownStart(context: AgentContext, attempt: AttemptRecord): Promise<false> {
  await untilDone(() => context.runtime.remove(attempt.ref), { life: context.life });
  attempt.ended = lostContainer(context.clock.now());
  return false;
}

function readSpec(text: string): ExecutionSpec {
  try {
    return parseExecutionSpec(text);
  } catch (error) {
    if (error instanceof CaziError) throw new NeverStarts("runtime_refused", error.message);
    throw error;
  }
}

function termsOf(yes: Yes, spec: ExecutionSpec, image: ImageIdentity): AttemptTerms {
  return {
    timeoutMs: spec.timeout_seconds * 1000,
    stopGraceMs: yes.stop_grace_ms,
    outputBytesMax: spec.max_output_bytes,
    grantedAt: yes.as_of,
    image,
  };
}

/** For a container of another version: no limit of its own, the ledger's `due_at` ends it. */
function unknownTerms(context: AgentContext): AttemptTerms {
  const grantedAt: LedgerPosition = { epoch: "", seq: 0 };
  const outputBytesMax = 16 * 1024 * 1024;
  return {
    timeoutMs: Number.MAX_SAFE_INTEGER,
    stopGraceMs: context.stopGraceMs,
    outputBytesMax,
    grantedAt,
    image: null,
  };
}

function reporterOf(context: AgentContext, attempt: AttemptRecord): Reporter {
  attempt.reporter ??= new Reporter({
    reports: context.reports,
    revisionBase: context.revisionBase,
    life: context.life,
    build: (revision) => attempt.toReport(context.node, revision),
    onStored: () => {
      attempt.reportedAt = context.clock.monotonicMs();
    },
    onFailure: (error, tries) =>
      context.log.warn({ ...attempt.ref, error, tries }, "the report is not stored yet"),
  });
  return attempt.reporter;
}

function outputOf(
  context: AgentContext,
  attempt: AttemptRecord,
  options: { readonly terms: AttemptTerms; readonly from: OutputOffsets },
): AttemptOutput {
  const { runtime, logs, clock, life, log } = context;
  const pump = new LogPump({
    ref: attempt.ref,
    logs,
    capBytes: options.terms.outputBytesMax,
    from: options.from,
    clock,
    connected: () => context.connected(),
    proveWritable: () => reporterOf(context, attempt).send(),
    life,
    onFailure: (error, tries) => log.warn({ ...attempt.ref, error, tries }, "a log chunk is not stored yet"),
  });
  attempt.logCounts = () => pump.counts();
  return { pump, collector: new OutputCollector({ runtime, ref: attempt.ref, pump, life, log }) };
}

function watched(output: AttemptOutput): AttemptOutput {
  output.collector.watch();
  return output;
}

async function resumedOutput(
  context: AgentContext,
  attempt: AttemptRecord,
  options: { readonly terms: AttemptTerms; readonly running: boolean },
): Promise<AttemptOutput> {
  const from = await storedOffsets(context, attempt);
  const output = outputOf(context, attempt, { terms: options.terms, from });
  return options.running ? watched(output) : output;
}

async function storedOffsets(context: AgentContext, attempt: AttemptRecord): Promise<OutputOffsets> {
  const one = (stream: "stdout" | "stderr") =>
    untilDone(() => context.logs.storedOffset(attempt.ref, stream), { life: context.life });
  const [stdout, stderr] = await Promise.all([one("stdout"), one("stderr")]);
  return { stdout, stderr };
}
