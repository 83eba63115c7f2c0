import { z } from "zod";
import { task } from "./task.ts";

/** Something about the spec that is allowed and probably not wanted. */
export const specWarning = z.object({ code: z.string(), pointer: z.string(), message: z.string() });

/** The answer to a submit or a replay. */
export const submittedTask = task.extend({ warnings: z.array(specWarning) });
export type SubmittedTask = z.output<typeof submittedTask>;
