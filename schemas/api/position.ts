/**
 * A place in the ledger, as the API gives and takes it: one text that means nothing to a caller but "not before
 * this". Made of the ledger's epoch (hashed: the epoch itself holds characters that are awkward in headers) and
 * the sequence. Positions of one epoch grow; those of two epochs cannot be compared.
 */
import { z } from "zod";

const PATTERN = /^([0-9a-f]{16})\.(0|[1-9]\d{0,15})$/;

export const minSeq = z
  .string()
  .max(64)
  .optional()
  .describe(
    "A position, as the header Cazi-Position of a creating or changing answer held it: wait, for a bounded time, until the read models have reached it.",
  );

export interface ApiPosition {
  /** 16 hex digits that stand for the epoch. */
  readonly epoch: string;
  readonly seq: number;
}

/** @param epoch as {@link ApiPosition} */
export function formatApiPosition({ epoch, seq }: ApiPosition): string {
  return `${epoch}.${seq}`;
}

/** Null for a text that is no position. */
export function parseApiPosition(text: string): ApiPosition | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const seq = Number(match[2]);
  return Number.isSafeInteger(seq) ? { epoch: match[1]!, seq } : null;
}
