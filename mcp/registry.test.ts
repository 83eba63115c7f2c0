import { describe, expect, it } from "vitest";
import { listTasksQuery } from "../schemas/api/listTasks.ts";
import { taskLogsQuery } from "../schemas/api/logEntry.ts";
import { listNodesQuery } from "../schemas/api/node.ts";
import { listTaskEventsQuery } from "../schemas/api/taskEvent.ts";
import { getTaskQuery } from "../schemas/api/taskRequests.ts";
import { instructions } from "./instructions.ts";
import { instructionsCharsMax } from "./limits.ts";
import { tools } from "./registry.ts";
import { inputJsonSchema, outputJsonSchema } from "./toolSchemas.ts";

describe("the tools", () => {
  it("are these, and their names never change", () => {
    expect(tools.map(({ name }) => name)).toEqual([
      "submit_task",
      "run_script",
      "wait_for_task",
      "get_task",
      "get_task_output",
      "get_task_logs",
      "list_task_events",
      "list_tasks",
      "cancel_task",
      "replay_task",
      "compare_tasks",
      "list_nodes",
      "check_health",
    ]);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    "%s says all that a client may assume",
    (_, tool) => {
      expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(Array(4).fill("boolean"));
      const input = inputJsonSchema(tool);
      expect(input).toMatchObject({ type: "object", additionalProperties: false });
      const output = outputJsonSchema(tool);
      expect(output.type).toBe("object");
      for (const schema of [input, output]) expect(JSON.stringify(schema)).not.toContain("$ref");
      expect(JSON.stringify(output)).not.toContain('"additionalProperties":false');
      for (const [name, property] of Object.entries(
        input.properties as Record<string, { description?: string }>,
      )) {
        expect(property.description, name).toBeTruthy();
      }
    },
  );

  it("are few, and are shown in no more characters than an agent can spare", () => {
    expect(tools.length).toBeLessThanOrEqual(25);
    const shown = tools.flatMap((tool) => [tool.description, inputJsonSchema(tool), outputJsonSchema(tool)]);
    expect(JSON.stringify(shown).length).toBeLessThan(60_000);
  });

  it("are introduced in fewer characters than clients read", () => {
    expect(instructions.length).toBeLessThan(instructionsCharsMax);
  });

  it.each([
    ["list_tasks", listTasksQuery, ["min_seq"]],
    ["list_nodes", listNodesQuery, []],
    ["list_task_events", listTaskEventsQuery, ["min_seq"]],
    ["get_task_logs", taskLogsQuery, ["follow"]],
    ["wait_for_task", getTaskQuery, ["min_seq"]],
  ] as const)(
    "%s names each parameter of the API by its own argument",
    (name, query, unused: readonly string[]) => {
      const tool = tools.find((one) => one.name === name)!;
      const parameters = Object.keys(query.shape).filter((parameter) => !unused.includes(parameter));
      const named = parameters.map((parameter) => tool.apiWords?.[`/${parameter}`]?.slice(1) ?? parameter);
      expect(Object.keys(tool.inputSchema.shape)).toEqual(expect.arrayContaining(named));
    },
  );

  it("show the whole spec to whoever submits one", () => {
    const submit = JSON.stringify(inputJsonSchema(tools[0]!));
    for (const field of ["image", "command", "timeout_seconds", "rationale"])
      expect(submit).toContain(`"${field}"`);
  });
});
