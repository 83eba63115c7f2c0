import { Rejection } from "../../kernel/errors.ts";
import { type Principal, type Role, roles } from "../ports.ts";

/**
 * Refuses what the caller may know of and may not do. What it may not know of is "not found" instead.
 * @throws Rejection `ROLE_TOO_LOW`
 */
export function requireRole(principal: Principal, wanted: Role): void {
  if (roles.indexOf(principal.role) >= roles.indexOf(wanted)) return;
  throw new Rejection("ROLE_TOO_LOW", `This needs the role ${wanted}; the token has ${principal.role}.`, {
    hint: "Ask an admin of the tenant for a token with that role.",
  });
}
