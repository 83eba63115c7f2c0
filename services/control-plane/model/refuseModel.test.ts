import { expect, it } from "vitest";
import { apiFixture } from "../testing/apiFixture.ts";

const policy = (more: object) => ({
  "agent-policy.json": JSON.stringify({
    schema_version: 1,
    agent: "main.js",
    tools: ["model.call"],
    ...more,
  }),
  "main.js": "emit({})",
  "model.json": "{}",
});
const script = { script: { source: "1", tools: ["echo", "model.call"] } };

it.each([
  ["a script", script, "/script/tools/1"],
  ["a project", { project: { files: policy({}) } }, "/project"],
  [
    "a script that comes after a task",
    { image: "x", command: ["y"], output_sinks: [{ type: "task", spec: script }] },
    "/output_sinks/0/spec/script/tools/1",
  ],
  [
    "a script of a template after the next task",
    {
      ...{ image: "x", command: ["y"] },
      output_sinks: [
        { type: "webhook", url: "https://a.test/" },
        {
          ...{ type: "task", target: "t" },
          template: { image: "x", command: ["TARGET"], output_sinks: [{ type: "task", spec: script }] },
        },
      ],
    },
    "/output_sinks/1/template/output_sinks/0/spec/script/tools/1",
  ],
])(
  "%s that calls a model is refused at submit where none is asked, and by name",
  async (_what, spec, pointer) => {
    const { ask, app } = await apiFixture();
    const headers = { "content-type": "application/json" };
    const { status, json } = await ask("POST", "/v1/tasks", { headers, body: JSON.stringify(spec) });
    await app.close();
    expect({ status, code: json.code, at: json.errors[0].pointer }).toEqual({
      status: 422,
      code: "MODEL_NOT_OFFERED",
      at: pointer,
    });
    expect(json.hint).toContain("CAZI_MODEL_KEY");
  },
);

it.each([
  ["where one is asked", true, script],
  [
    "where its answers are in a file of the project",
    false,
    { project: { files: policy({ model_fixture: "model.json" }) } },
  ],
])("a program that calls a model is taken %s", async (_what, asksModel, spec) => {
  const { ask, app } = await apiFixture({ asksModel });
  const headers = { "content-type": "application/json" };
  const { status } = await ask("POST", "/v1/tasks", { headers, body: JSON.stringify(spec) });
  await app.close();
  expect(status).toBe(202);
});
