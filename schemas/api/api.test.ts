import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listTasksQuery } from "./listTasks.ts";
import { taskLogsQuery } from "./logEntry.ts";
import { submittedTask } from "./submittedTask.ts";
import { isTerminalStatus, taskStatuses } from "./taskStatus.ts";
import { toTimestamp } from "./timestamp.ts";

describe("the API's parameters", () => {
  it("read the text of a query string and plain values alike", () => {
    const text = listTasksQuery.parse({ limit: "20", status: "running,failed", label: "team=a,b" });
    const plain = listTasksQuery.parse({ limit: 20, status: ["running", "failed"], label: ["team=a,b"] });
    expect(text).toEqual(plain);
    expect(taskLogsQuery.parse({ follow: "true" })).toEqual(taskLogsQuery.parse({ follow: true }));
  });

  it("refuse what is not a whole number, out of bounds, or unknown", () => {
    for (const limit of ["", " 5", "1e2", "0", "201", "-1", "1.5", "9".repeat(30), Number.NaN]) {
      expect(listTasksQuery.safeParse({ limit }).success, String(limit)).toBe(false);
    }
    expect(listTasksQuery.safeParse({ states: "running" }).success).toBe(false);
  });

  it("have the JSON Schema of the plain value", () => {
    const schema = z.toJSONSchema(listTasksQuery, { io: "input" });
    expect(schema.properties?.limit).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 200,
    });
  });
});

describe("the API's answers", () => {
  it("have a JSON Schema with no references, as tools need it", () => {
    const schema = z.toJSONSchema(submittedTask, { io: "output" });
    expect(schema).toMatchObject({ type: "object" });
    expect(JSON.stringify(schema)).not.toContain("$ref");
  });

  it("call over what is over, and nothing else", () => {
    expect(taskStatuses.filter(isTerminalStatus)).toEqual(["succeeded", "failed", "cancelled", "blocked"]);
  });

  it("show times in UTC with milliseconds", () => {
    expect(toTimestamp(1_700_000_000_123)).toBe("2023-11-14T22:13:20.123Z");
  });
});
