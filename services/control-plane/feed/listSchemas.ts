import type { z } from "zod";
import type { schemaInfo } from "../../../schemas/api/feed.ts";
import { allSchemas, currentSchemas } from "../../../schemas/taskEvents.ts";

/** Every released schema of an event, those of one transition together. */
export function listSchemas(): z.output<typeof schemaInfo>[] {
  const order = [...currentSchemas].map(([transition, { name }]) => ({ transition, name }));
  const current = new Set([...currentSchemas.values()].map(({ fingerprint }) => fingerprint));
  const rank = (name: string) => order.findIndex((one) => one.name === name) + 1 || order.length + 1;
  return allSchemas()
    .map(({ fingerprint, name, sha256 }) => ({
      fingerprint,
      name,
      transition: order.find((one) => one.name === name)?.transition ?? null,
      current: current.has(fingerprint),
      sha256,
    }))
    .sort((a, b) => rank(a.name) - rank(b.name) || Number(b.current) - Number(a.current));
}
