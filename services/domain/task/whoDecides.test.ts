import { describe, expect, it } from "vitest";
import type { TaskCommand } from "./taskCommand.ts";
import type { CarriedTask, Who } from "./taskState.ts";
import { absentTask } from "./taskState.ts";
import { whoDecides } from "./whoDecides.ts";

const ada: Who = { actor: "user:ada", accountable: null, route: "cli" };
const bot: Who = { actor: "agent:bot", accountable: "user:ada", route: "mcp" };
const of = (who: Who) => ({ status: "pending", who }) as CarriedTask;
const command = (rest: object) => ({ id: "1", at: 0, ...rest }) as TaskCommand;

describe("who is recorded with an event", () => {
  it("is whoever asked, with the person behind an agent", () => {
    expect(whoDecides(command({ kind: "submit", who: bot }), absentTask)).toBe(bot);
    expect(whoDecides(command({ kind: "cancel", who: ada }), of(bot))).toBe(ada);
    expect(whoDecides(command({ kind: "erase", by: ada }), of(bot))).toBe(ada);
  });

  it.each([
    [{ kind: "schedule" }, "service:scheduler"],
    [{ kind: "grant" }, "service:transitions"],
    [{ kind: "due" }, "service:reactor"],
    [{ kind: "sink_failed" }, "service:sinks"],
    [{ kind: "decline", node: "n1" }, "node:n1"],
    [{ kind: "report", report: { node: "n1" } }, "node:n1"],
  ])("is the part of Cazi that decides %o, the task's person being accountable", (rest, actor) => {
    const route = "internal";
    expect(whoDecides(command(rest), of(ada))).toEqual({ actor, accountable: "user:ada", route });
    expect(whoDecides(command(rest), of(bot))).toEqual({ actor, accountable: "user:ada", route });
  });
});
