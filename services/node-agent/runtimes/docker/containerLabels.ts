import { z } from "zod";
import { type AttemptRef, imageIdentity } from "../../../../schemas/messages/node.ts";
import type { AttemptTerms } from "../../ports.ts";

/** Whose containers these are. */
export interface LabelOwner {
  readonly instance: string;
  readonly node: string;
}

const terms = z.object({
  timeoutMs: z.number(),
  stopGraceMs: z.number(),
  outputBytesMax: z.number(),
  grantedAt: z.object({ epoch: z.string(), seq: z.number() }),
  image: imageIdentity.nullable(),
});

/** Labels that let an agent that knows nothing find an attempt again and go on with it. */
export function toLabels(
  owner: LabelOwner,
  ref: AttemptRef,
  termsOfIt: AttemptTerms,
): Record<string, string> {
  return {
    "cazi.instance": owner.instance,
    "cazi.node": owner.node,
    "cazi.tenant": ref.tenant,
    "cazi.task": ref.task,
    "cazi.attempt": String(ref.attempt),
    "cazi.fence": ref.fence,
    "cazi.terms": JSON.stringify(termsOfIt),
  };
}

/** The engine's filter for the containers of one instance and node; others' are never touched. */
export function labelFilter(owner: LabelOwner): string[] {
  return [`cazi.instance=${owner.instance}`, `cazi.node=${owner.node}`];
}

/** Reads the labels back; null when they name no attempt. Terms of another version read as null. */
export function fromLabels(
  labels: Readonly<Record<string, string>>,
): { readonly ref: AttemptRef; readonly terms: AttemptTerms | null } | null {
  const tenant = labels["cazi.tenant"];
  const task = labels["cazi.task"];
  const fence = labels["cazi.fence"];
  const attempt = Number(labels["cazi.attempt"]);
  if (!tenant || !task || !fence || !Number.isInteger(attempt) || attempt < 1) return null;
  return { ref: { tenant, task, attempt, fence }, terms: readTerms(labels["cazi.terms"]) };
}

function readTerms(text: string | undefined): AttemptTerms | null {
  if (text === undefined) return null;
  try {
    return terms.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
