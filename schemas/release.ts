/**
 * `npx tsx schemas/release.ts`: freezes what `schemas/task/` says now as released, with golden bytes of one event each. Run it
 * after a compatible change; a test fails until it was. Released files and golden bytes are never edited.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { sampleEvents } from "./sampleEvents.ts";
import { currentSchemas, encodeTaskEvent } from "./taskEvents.ts";

const released = join(projectRoot, "schemas", "released");
const golden = join(projectRoot, "schemas", "golden");
mkdirSync(golden, { recursive: true });

for (const event of sampleEvents()) {
  const schema = currentSchemas.get(event.body.type)!;
  const target = join(released, `${schema.fingerprint}.json`);
  if (existsSync(target)) continue;
  writeFileSync(target, `${schema.text}\n`);
  writeFileSync(join(golden, `${schema.fingerprint}.hex`), `${encodeTaskEvent(event).toString("hex")}\n`);
  writeFileSync(join(golden, `${schema.fingerprint}.json`), `${JSON.stringify(event)}\n`);
  console.log(`released ${schema.name} as ${schema.fingerprint}`);
}
