import type { FastifyInstance, FastifyRequest } from "fastify";
import { Rejection } from "../../kernel/errors.ts";
import { type Principal, type Role, roles } from "../ports.ts";
import { principalOf } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The least role that may ask this route. A route that does not say so is for admins. */
    role?: Role;
    /** Only for the installation's own tenant. */
    installation?: boolean;
  }
}

/** Holds every route under `app` to the role that its `config` declares, before anything of the request is read. */
export function requireDeclaredRoles(app: FastifyInstance): void {
  app.addHook("onRequest", async (request) => refuseLowRole(request));
}

function refuseLowRole(request: FastifyRequest): void {
  const principal = principalOf(request);
  const { role = "admin", installation = false } = request.routeOptions.config;
  requireRole(principal, role);
  if (installation) requireInstallation(principal);
}

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

/**
 * What belongs to no tenant is for the installation's own: tenants themselves, and figures of the whole process.
 * @throws Rejection `INSTALLATION_ONLY`
 */
export function requireInstallation(principal: Principal): void {
  if (principal.installation === true) return;
  throw new Rejection("INSTALLATION_ONLY", "This concerns the whole installation, not your tenant alone.", {
    hint: "Ask an admin of the installation.",
  });
}
