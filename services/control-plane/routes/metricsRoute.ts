import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { authenticateRequest } from "../http/admit.ts";
import { requireInstallation } from "../http/requireRole.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";

const TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

/**
 * `CAZI_METRICS=auto`: without a token where only this machine reaches the API, as its probes are; elsewhere with
 * one, because the figures tell how busy the place is and what its nodes are called. Pure.
 */
export function metricsAccess(
  setting: "auto" | "open" | "off",
  onLoopback: boolean,
): "open" | "token" | "off" {
  return setting === "auto" ? (onLoopback ? "open" : "token") : setting;
}

/** The figures of this process, for Prometheus. */
export async function metricsRoute(
  app: FastifyInstance,
  ports: Pick<ApiPorts, "metrics" | "tokens" | "admission">,
): Promise<void> {
  const { metrics } = ports;
  if (metrics.access === "off") return;
  app.get("/metrics", {
    schema: routeSchema({
      operationId: "metrics",
      summary: "Figures of this process, in Prometheus' text format",
      tags: ["probes"],
      ...(metrics.access === "open" ? { token: false as const } : {}),
      problems: metrics.access === "open" ? [] : ["INSTALLATION_ONLY"],
      answers: { 200: { about: "See docs/metrics.md.", content: { "text/plain": z.string() } } },
    }),
    handler: async (request, reply) => {
      if (metrics.access === "token") requireInstallation(await authenticateRequest(ports, request, reply));
      return reply
        .type(TEXT_FORMAT)
        .serializer(asItIs)
        .send(await metrics.text());
    },
  });
}

const asItIs = (text: string) => text;
