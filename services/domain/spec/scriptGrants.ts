/** The schemas of what a script may be granted, as a spec says it for a script and a policy for a project. */
import { z } from "zod";
import * as limits from "./limits.ts";
import { knownTools, type ScriptBudget, scriptBudgetBounds } from "./scriptRules.ts";
import { distinct } from "./specRules.ts";

export const toolList = z
  .array(z.string())
  .max(limits.scriptToolsMax)
  .check(distinct)
  .check(knownTools)
  .default([]);

export const budgets = z.strictObject(
  Object.fromEntries(
    Object.entries(scriptBudgetBounds).map(([name, [min, max]]) => [
      name,
      z.number().int().min(min).max(max).optional(),
    ]),
  ) as { [Name in ScriptBudget]: z.ZodOptional<z.ZodNumber> },
);

export const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "must be the name of a variable" });

/** Relative, in plain characters, and never upwards: one file has one spelling. */
export const filePath = z
  .string()
  .max(limits.scriptPathCharsMax)
  .regex(
    /^(?!.*(?:^|\/)\.\.?(?:\/|$))[A-Za-z0-9_.@+][A-Za-z0-9_.@+-]*(?:\/[A-Za-z0-9_.@+][A-Za-z0-9_.@+-]*)*$/,
    {
      error:
        "must be a relative path of letters, digits, '.', '_', '@', '+' and '-', without . and .. as parts",
    },
  );
