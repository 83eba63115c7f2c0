import { isWhole, type Survey, verifyLedger } from "../../repair/verifyLedger.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { withLedgerStores } from "../ledgerStores.ts";
import { type Format, render } from "../output/render.ts";
import { fields, table } from "../output/table.ts";

/** Compares the whole ledger with its copy. Exits 1 when they differ. */
export async function ledgerVerify(
  context: CliContext,
  options: { readonly output: Format },
): Promise<number> {
  const survey = await withLedgerStores(context, verifyLedger);
  const whole = isWhole(survey);
  const value = { whole, ...survey };
  await context.output.data(await render(options.output, { value, table: () => surveyText(survey) }));
  if (whole && survey.uncopied === 0) return exitCodes.ok;
  await context.output.message(
    whole
      ? "the ledger has lost nothing; the copy lacks events that it should have"
      : "the ledger is not what was copied from it: `cazi ledger repair --dry-run` says what can be done",
  );
  return exitCodes.failure;
}

/** A survey for people. */
export function surveyText(survey: Survey): string {
  const { copy, stream, first } = survey;
  const counts = fields([
    ["copy", copy === null ? "nothing was ever copied" : `up to sequence ${copy.end}, of ${copy.epoch}`],
    [
      "ledger",
      stream === null ? "there is no stream" : `up to sequence ${stream.lastSeq}, of ${stream.epoch}`,
    ],
    ["compared", survey.events],
    ["the same", survey.same],
    ["missing", survey.missing],
    ["altered", survey.altered],
    ["replaced by others", survey.replaced],
    ["not in the copy", survey.uncopied],
    ["erased", survey.erased],
    ["not copied yet", survey.beyond],
  ]);
  if (first.length === 0) return counts;
  const differences = table(
    [
      { title: "SEQUENCE", cell: (one) => one.seq },
      { title: "DIFFERENCE", cell: (one) => one.kind },
      { title: "SUBJECT", cell: (one) => one.subject },
      { title: "COPIED", cell: (one) => one.copied },
      { title: "FOUND", cell: (one) => one.found },
    ],
    first,
  );
  return `${counts}\nThe first differences:\n${differences}`;
}
