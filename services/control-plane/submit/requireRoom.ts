import { Retryable } from "../../kernel/errors.ts";
import { storageCheckMs } from "../limits.ts";
import type { StorageWatch } from "./storageWatch.ts";

/** Only what is new is refused: what runs can still end, and be recorded. @throws Retryable `STORAGE_FULL` */
export function requireRoom(storage: Pick<StorageWatch, "full">): void {
  const full = storage.full();
  if (full === null) return;
  throw new Retryable("STORAGE_FULL", `Nothing was submitted: ${full}.`, {
    hint: "Make room, or raise the limit; what runs now still ends and is recorded. Then send the request again.",
    fields: { retry_after_ms: storageCheckMs },
  });
}
