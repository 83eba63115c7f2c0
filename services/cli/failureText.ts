import { CaziError } from "../kernel/errors.ts";

const detailsMax = 20;

/** A failure for people: the sentence, each thing wrong, what to do. No stack: it is in the server's log. Pure. */
export function failureText(error: unknown): string {
  if (!(error instanceof CaziError)) return error instanceof Error ? error.message : String(error);
  const { code, message, details, hint, fields } = error;
  const shown = details.slice(0, detailsMax).map((one) => `  ${one.pointer || "/"}: ${one.message}`);
  if (details.length > detailsMax) shown.push(`  and ${details.length - detailsMax} more`);
  const key = fields.idempotency_key;
  return printable(
    [
      `${message} (${code})`,
      ...shown,
      ...(hint === undefined ? [] : [`  ${hint}`]),
      ...(typeof key === "string" ? [`  Repeat with --idempotency-key ${key}`] : []),
    ].join("\n"),
  );
}

/** A message may quote input: control characters are shown, never sent to the terminal. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, "\ufffd");
}
