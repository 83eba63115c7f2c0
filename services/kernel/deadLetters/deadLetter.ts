import { z } from "zod";

/** What the dead letter of a sink says. */
export const deadSink = z.object({
  tenant: z.string(),
  task: z.string(),
  sink: z.string(),
  type: z.string(),
  tries: z.number().int().nonnegative(),
  message: z.string(),
  /** When it was given up, in milliseconds since 1970. */
  failed_at: z.number().int(),
});
export type DeadSink = z.output<typeof deadSink>;

/** Who asked for it to be sent again. */
export const resendOrder = z.object({
  actor: z.string(),
  accountable: z.string().nullable(),
  route: z.string(),
});

/** Names of the headers of a dead letter. */
export const deadHeaders = {
  /** Subject that the message came by. */
  subject: "Cazi-Subject",
  reason: "Cazi-Reason",
  /** {@link resendOrder} as JSON, on a letter that is to be tried again. */
  resend: "Cazi-Resend",
} as const;

/** A message that could not be handled, as an operator sees it. */
export interface DeadLetter {
  /** Place in DEADLETTERS. */
  readonly seq: number;
  readonly kind: "report" | "sink";
  /** When it was put there, in milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
  /** Null where nobody can tell whose it is. */
  readonly tenant: string | null;
  readonly task: string | null;
  readonly sink: string | null;
  /** Of a report: the node that sent it. */
  readonly node: string | null;
  /** True while it is being tried again. */
  readonly resending: boolean;
  readonly bytes: Uint8Array;
}

/** Of text for a header: one line of plain characters. */
export function headerText(text: string): string {
  return text.replace(/[^ -~]+/g, " ").slice(0, 500);
}
