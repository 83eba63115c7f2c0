import { z } from "zod";
import { health } from "../../schemas/api/health.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const checkHealth = defineTool({
  name: "check_health",
  title: "Check Cazi's health",
  description:
    "Says whether Cazi can take and run tasks now, and each thing that is missing. Use it when submits are refused or tasks stay pending. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({}),
  outputSchema: health,
  handler: (client) => client.readiness(),
});
