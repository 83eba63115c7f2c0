/** What doctor says of the master key and of the keys of workload tokens. Pure. */
import type { SigningKey } from "../../../schemas/api/signingKey.ts";
import { type Row, rowOf } from "./row.ts";

/** @param has `given`: by CAZI_MASTER_KEY; `file`: made at the first start */
export function masterKeyRow(has: "given" | "file" | "none", path: string): Row {
  if (has === "given") return rowOf("master_key", "ok", "CAZI_MASTER_KEY is set");
  if (has === "none") return rowOf("master_key", "unknown", "not looked at: there is none on this machine");
  return rowOf(
    "master_key",
    "ok",
    `in ${path}, made at the first start`,
    "Keep a copy apart from the data: without it stored connections are lost. More control planes need CAZI_MASTER_KEY.",
  );
}

/** @param rotateDays 0 for never */
export function signingKeysRow(
  keys: readonly Pick<SigningKey, "kid" | "state" | "signs_from">[],
  rotateDays: number,
): Row {
  const active = keys.find(({ state }) => state === "active");
  if (active === undefined) {
    return rowOf("signing_keys", "fail", "no key signs workload tokens", "Look at the control plane's log.");
  }
  const next = keys.find(({ state }) => state === "next");
  const then = next === undefined ? "" : `; ${next.kid} signs from ${next.signs_from}`;
  const found = `${active.kid} signs since ${active.signs_from}${then}; ${keys.filter(({ state }) => state !== "revoked").length} published`;
  if (rotateDays > 0) return rowOf("signing_keys", "ok", `${found}; replaced after ${rotateDays} days`);
  return rowOf(
    "signing_keys",
    "warn",
    `${found}; never replaced by itself`,
    "Set CAZI_KEY_ROTATE_DAYS, or run `cazi keys rotate` now and then.",
  );
}
