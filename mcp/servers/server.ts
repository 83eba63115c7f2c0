/** What a server of any version of the protocol is made of. */
import type { Clock } from "../../services/kernel/clock.ts";
import type { Answers } from "../answers.ts";
import type { Catalog } from "../catalog.ts";

export interface ServerParts {
  readonly catalog: Pick<Catalog, "name" | "title" | "instructions">;
  readonly version: string;
  readonly answers: Answers;
  readonly clock: Clock;
}

/** What is answered. Nothing of it changes while a server lives, and nobody can subscribe. */
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
