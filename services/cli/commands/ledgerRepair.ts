import { Rejection, Retryable } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { type Lease, strive } from "../../kernel/lease.ts";
import { planOf, type Repaired, repairLedger } from "../../repair/repairLedger.ts";
import { isWhole, type RepairPorts } from "../../repair/verifyLedger.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { withLedgerStores } from "../ledgerStores.ts";
import { type Format, render } from "../output/render.ts";
import { surveyText } from "./ledgerVerify.ts";

/** How long after its life a lease of a repair that was killed may take to be free. */
const LEASE_SLACK_MS = 3_000;

/** Puts back what the ledger has lost. Exits 0 when the ledger is whole, 1 when it is not (or, dry, would not be). */
export async function ledgerRepair(
  context: CliContext,
  options: { readonly dryRun?: boolean; readonly output: Format },
): Promise<number> {
  return await withLedgerStores(context, async (ports) =>
    options.dryRun
      ? await dryRun(context, ports, options.output)
      : await repair(context, ports, options.output),
  );
}

async function dryRun(context: CliContext, ports: RepairPorts, output: Format): Promise<number> {
  const { plan, survey } = await planOf(ports);
  const forPeople = () => `${surveyText(survey)}\nplan: ${plan.kind}; ${plan.why}\n`;
  await context.output.data(await render(output, { value: { plan, survey }, table: forPeople }));
  return plan.kind === "nothing" ? exitCodes.ok : exitCodes.failure;
}

async function repair(context: CliContext, ports: RepairPorts, output: Format): Promise<number> {
  const lease = await repairLease(context, ports);
  try {
    const done = await repairLedger({
      ...ports,
      mayGoOn: () => {
        if (!lease.held()) throw leaseLost();
      },
      tell: (text) => void context.output.message(text),
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    const text = () => `${surveyText(done.survey)}\n`;
    await context.output.data(await render(output, { value: done, table: text }));
    await context.output.message(afterwards(done));
    return isWhole(done.survey) ? exitCodes.ok : exitCodes.failure;
  } finally {
    await lease.stop();
  }
}

function afterwards({ plan, appended, restart, survey }: Repaired): string {
  if (!isWhole(survey)) return "the ledger is still not whole: run `cazi ledger repair` again";
  if (plan === "nothing") return "the ledger is whole; nothing was to be done";
  const done = `the ledger is whole: ${appended} events were put back`;
  if (restart) {
    return `${done}. Start Cazi again now: end \`cazi up\` with Ctrl-C and run it again, or restart every \`cazi serve\`; until then nothing is taken`;
  }
  return `${done}. Processes that ran all the time go on by themselves; where /readyz still says LEDGER_REGRESSED after a minute, start Cazi again`;
}

/** @throws Rejection `REPAIR_RUNNING` */
async function repairLease(context: CliContext, { nats, shard, clock }: RepairPorts): Promise<Lease> {
  const { leaseMs } = context.settings().config;
  const kv = await nats.js.views.kv("leases");
  const holder = { process: `repair.${newId(clock.now())}`, home: "" };
  const lease = strive({ kv, key: `repair.${shard}`, holder, lifeMs: leaseMs, clock });
  const deadline = clock.monotonicMs() + leaseMs + LEASE_SLACK_MS;
  while (!lease.held() && clock.monotonicMs() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  if (lease.held()) return lease;
  await lease.stop();
  throw new Rejection("REPAIR_RUNNING", "another repair of this ledger is running", {
    hint: "Wait for it; only one at a time may put events back.",
  });
}

function leaseLost(): Retryable {
  return new Retryable("REPAIR_INTERRUPTED", "the repair lost its lease: another one may be running", {
    hint: "Run `cazi ledger repair` again; it goes on where this one ended.",
  });
}
