import { createHash } from "node:crypto";
import { type BulkAction, type BulkFilter, bulkAction, bulkFilter } from "../../../schemas/api/bulk.ts";
import { canonicalJson } from "../../kernel/canonicalJson.ts";
import { Rejection } from "../../kernel/errors.ts";

/** Which tasks a preview showed: those that its filter matched at a position of the ledger. It is kept by the caller. */
export interface Selection {
  readonly action: BulkAction;
  readonly filter: BulkFilter;
  /** As the API writes positions. */
  readonly position: string;
  readonly count: number;
}

/**
 * A selection as one text. Its hash is no signature: whoever may act on these tasks may say so directly too. It keeps a
 * text that was cut or mended by hand from selecting anything. Pure.
 */
export function selectionText(selection: Selection): string {
  const json = canonicalJson(selection);
  return `${Buffer.from(json).toString("base64url")}.${hashOf(json)}`;
}

/** @throws Rejection `SELECTION_INVALID` */
export function readSelection(text: string): Selection {
  const [encoded = "", hash] = text.split(".");
  const json = Buffer.from(encoded, "base64url").toString("utf8");
  if (hash !== hashOf(json)) throw invalid();
  const { action, filter, position, count } = JSON.parse(json) as Selection;
  const read = bulkFilter.safeParse(filter);
  if (!bulkAction.safeParse(action).success || !read.success) throw invalid();
  return { action, filter: read.data, position, count };
}

function hashOf(json: string): string {
  return createHash("sha256").update(`cazi selection ${json}`).digest("hex").slice(0, 16);
}

function invalid(): Rejection {
  return new Rejection("SELECTION_INVALID", "The selection is not one that a preview gave.", {
    hint: "Ask for a preview, look at it, and send its selection as it is.",
  });
}
