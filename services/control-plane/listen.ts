import type { FastifyInstance } from "fastify";
import { Rejection } from "../kernel/errors.ts";
import { portsTried } from "./limits.ts";

/**
 * Listens, and says where. A default port that is taken gives way to the next free one; one that was asked for
 * does not.
 * @throws Rejection `PORT_TAKEN`
 */
export async function listen(
  app: FastifyInstance,
  at: { readonly host: string; readonly port: number; readonly portFixed: boolean },
): Promise<string> {
  const last = at.portFixed || at.port === 0 ? at.port : Math.min(at.port + portsTried, 65_535);
  for (let port = at.port; port <= last; port++) {
    try {
      return await app.listen({ host: at.host, port });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  throw new Rejection("PORT_TAKEN", `Port ${at.port} of ${at.host} is taken.`, {
    hint: "Set CAZI_PORT to a free port, or unset it to use any.",
  });
}
