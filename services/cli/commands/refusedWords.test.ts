import { describe, expect, it } from "vitest";
import type { CliContext } from "../context.ts";
import { explain } from "./explain.ts";
import { nodeAdd } from "./nodeAdd.ts";

/** Whatever a command did with it would fail otherwise. */
const nothing = {} as CliContext;

describe("a word that a command cannot use", () => {
  it.each(["../x", "", "X", "-a", "a b", "a".repeat(64)])(
    "as the name of a node is refused before anything is made: %j",
    async (name) => {
      await expect(nodeAdd(nothing, name, {})).rejects.toMatchObject({ code: "USAGE" });
    },
  );

  it("as what to explain is said to be neither a code nor a task id", async () => {
    await expect(explain(nothing, "xyz", { output: "table" })).rejects.toMatchObject({
      code: "USAGE",
      message: "xyz is neither a code nor a task id",
      hint: expect.stringContaining("cazi list"),
    });
  });
});
