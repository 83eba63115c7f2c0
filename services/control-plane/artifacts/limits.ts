/** Bounds of uploads, with the reason for each value. What an operator may change is in the settings. */
import { invariant } from "../../kernel/errors.ts";

/** Each holds some two megabytes, and shares the connection that the ledger is written on. */
export const uploadsInAll = 16;
export const uploadsOfTask = 4;
/** A sender that says nothing for so long only holds a connection. */
export const uploadIdleMs = 60_000;
/** The largest file over a slow line; what is left of an upload that died is taken for garbage after an hour. */
export const uploadWholeMs = 20 * 60_000;
/** How often what has expired is looked for; it is answered as expired from the very moment on. */
export const expirySweepMs = 60_000;
/** How often what broken uploads left is looked for. */
export const orphanSweepMs = 3_600_000;
/** An object without an event is one that is about to have it, or garbage once it is this old. */
export const unnamedAgeMs = 3_600_000;

invariant(uploadWholeMs < unnamedAgeMs, "an upload under way is never taken for garbage");
