/** What doctor says of row-level security. Pure. */
import type { RowSecurity } from "../../kernel/postgres/rowSecurity.ts";
import { type Row, rowOf } from "./row.ts";

/** So many faults are told in a row; the others are counted. */
const TOLD_MAX = 3;

/** @param embedded the login of the embedded server is always a superuser */
export function rowSecurityRow({ tables, faults, loginPasses }: RowSecurity, embedded: boolean): Row {
  const id = "row_security";
  if (tables === 0) return rowOf(id, "unknown", "not looked at: there are no tables yet");
  if (faults.length > 0) {
    const more = faults.length > TOLD_MAX ? `; and ${faults.length - TOLD_MAX} more` : "";
    return rowOf(
      id,
      "fail",
      `tenants are not kept apart: ${faults.slice(0, TOLD_MAX).join("; ")}${more}`,
      "Undo what was changed by hand; a later table is isolated by cazi_isolate in its migration.",
    );
  }
  const found = `forced on ${tables} tables; tried: without a tenant cazi_app sees no row`;
  if (!loginPasses) return rowOf(id, "ok", found);
  const login = "the login is a superuser, and held by its change of role alone";
  return rowOf(
    id,
    embedded ? "ok" : "warn",
    `${found}; ${login}`,
    embedded ? null : "Use a login that is no superuser: docs/tenants.md.",
  );
}
