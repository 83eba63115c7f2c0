import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { clientTypes, clientTypesFile } from "../../../test/support/clientTypes.ts";
import { apiFixture } from "../testing/apiFixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely
type Document = any;

async function document(): Promise<Document> {
  const { ask } = await apiFixture();
  const answer = await ask("GET", "/openapi.json");
  expect(answer.status).toBe(200);
  return answer.json;
}

function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : references(inner),
  );
}

describe("the OpenAPI document", () => {
  it("describes every route of the API, each with a name of its own", async () => {
    const { openapi, paths } = await document();
    expect(openapi).toBe("3.1.0");
    const routes = Object.entries(paths as Record<string, Record<string, Document>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, of]) => `${method.toUpperCase()} ${path} ${of.operationId}`),
    );
    expect(routes.sort()).toEqual([
      "DELETE /v1/connections/{name} remove_connection",
      "DELETE /v1/dead-letters/{id} drop_dead_letter",
      "DELETE /v1/keys/{kid} revoke_key",
      "DELETE /v1/nodes/{name} remove_node",
      "DELETE /v1/subscribers/{name} remove_subscriber",
      "DELETE /v1/tasks/{id} erase_task",
      "DELETE /v1/tenants/{name} remove_tenant",
      "DELETE /v1/tokens/{id} revoke_token",
      "DELETE /v1/users/{name} remove_user",
      "GET /.well-known/jwks.json get_jwks",
      "GET /.well-known/openid-configuration get_openid_configuration",
      "GET /asyncapi.json asyncapi",
      "GET /healthz healthz",
      "GET /metrics metrics",
      "GET /openapi.json openapi",
      "GET /problems list_problems",
      "GET /problems/{code} get_problem",
      "GET /readyz readyz",
      "GET /v1/connections list_connections",
      "GET /v1/connections/{name} get_connection",
      "GET /v1/dead-letters list_dead_letters",
      "GET /v1/dead-letters/{id} get_dead_letter",
      "GET /v1/events/stream follow_events",
      "GET /v1/keys list_keys",
      "GET /v1/me get_me",
      "GET /v1/nodes list_nodes",
      "GET /v1/nodes/{name} get_node",
      "GET /v1/schemas list_schemas",
      "GET /v1/schemas/{fingerprint} get_schema",
      "GET /v1/subscribers list_subscribers",
      "GET /v1/subscribers/{name} get_subscriber",
      "GET /v1/tasks list_tasks",
      "GET /v1/tasks/{id} get_task",
      "GET /v1/tasks/{id}/artifacts list_artifacts",
      "GET /v1/tasks/{id}/artifacts/{name} get_artifact",
      "GET /v1/tasks/{id}/attempts list_attempts",
      "GET /v1/tasks/{id}/comparison compare_task",
      "GET /v1/tasks/{id}/events list_task_events",
      "GET /v1/tasks/{id}/logs get_task_logs",
      "GET /v1/tasks/{id}/output get_task_output",
      "GET /v1/tasks/{id}/output/raw get_task_raw_output",
      "GET /v1/tenants list_tenants",
      "GET /v1/tenants/{name} get_tenant",
      "GET /v1/tokens list_tokens",
      "GET /v1/tokens/{id} get_token",
      "GET /v1/users list_users",
      "GET /v1/users/{name} get_user",
      "PATCH /v1/tenants/{name} change_tenant",
      "PATCH /v1/users/{name} change_user",
      "POST /v1/dead-letters/{id}/resend resend_dead_letter",
      "POST /v1/keys/rotate rotate_keys",
      "POST /v1/tasks submit_task",
      "POST /v1/tasks/bulk act_in_bulk",
      "POST /v1/tasks/bulk/preview preview_bulk",
      "POST /v1/tasks/{id}/cancel cancel_task",
      "POST /v1/tasks/{id}/replay replay_task",
      "POST /v1/tenants create_tenant",
      "POST /v1/tokens create_token",
      "POST /v1/users create_user",
      "PUT /v1/connections/{name} put_connection",
      "PUT /v1/nodes/{name} declare_node",
      "PUT /v1/nodes/{name}/state set_node_state",
      "PUT /v1/subscribers/{name} put_subscriber",
    ]);
  });

  it("refers to nothing that is not in it", async () => {
    const api = await document();
    const used = new Set(references(api));
    expect(used.size).toBeGreaterThan(5);
    for (const reference of used) {
      const name = reference.replace("#/components/schemas/", "");
      expect(Object.keys(api.components.schemas)).toContain(name);
    }
  });

  it("passes a linter's recommended rules, with no error and no warning", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(await document()), config });
    expect(problems.map((one) => `${one.ruleId} ${one.location[0]?.pointer} ${one.message}`)).toEqual([]);
  });

  it("is what the client's types are made from: run `npx tsx test/support/clientTypes.ts` when they are stale", async () => {
    expect(readFileSync(clientTypesFile, "utf8") === (await clientTypes()), clientTypesFile).toBe(true);
  });

  it("gives every route a summary, a known tag, described parameters and error answers", async () => {
    const { paths, tags } = await document();
    const known = tags.map((tag: { name: string }) => tag.name);
    for (const [path, methods] of Object.entries(paths as Record<string, Record<string, Document>>)) {
      for (const [method, of] of Object.entries(methods)) {
        const where = `${method} ${path}`;
        expect(of.summary, where).toMatch(/\S/);
        expect(known, where).toEqual(expect.arrayContaining(of.tags));
        const silent = (of.parameters ?? []).filter((one: { description?: string }) => !one.description);
        expect(silent, where).toEqual([]);
        const statuses = Object.keys(of.responses);
        expect(statuses, where).toEqual(expect.arrayContaining(["400", "500", "default"]));
        if (of.security === undefined)
          expect(statuses, where).toEqual(expect.arrayContaining(["401", "429"]));
      }
    }
  });

  it("says what a submit takes and answers, with the descriptions of the fields", async () => {
    const { paths, components } = await document();
    const submit = paths["/v1/tasks"].post;
    expect(Object.keys(submit.requestBody.content)).toEqual(["application/json", "application/yaml"]);
    expect(submit.requestBody.content["application/yaml"].schema.$ref).toBe(
      "#/components/schemas/WorkloadSpecInput",
    );
    expect(submit.responses[202].content["application/json"].schema.$ref).toBe(
      "#/components/schemas/SubmittedTask",
    );
    expect(submit.responses.default.content["application/problem+json"].schema.$ref).toBe(
      "#/components/schemas/Problem",
    );
    expect(components.schemas.WorkloadSpecInput.properties.command.description).toContain("Argv");
    expect(components.schemas.WorkloadSpecInput.additionalProperties).toBe(false);
  });

  it("needs the token everywhere but where none is asked for", async () => {
    const { security, paths } = await document();
    expect(security).toEqual([{ token: [] }]);
    expect(paths["/healthz"].get.security).toEqual([]);
    expect(paths["/v1/tasks"].get.security).toBeUndefined();
  });
});
