import specs from "@asyncapi/specs";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import { cloudEventHeaders, cloudEventOf } from "../../../schemas/cloudEvents.ts";
import { currentSchemas } from "../../../schemas/taskEvents.ts";
import { bodies, ledgerHistory, lifeOf } from "../../../test/support/ledgerHistory.ts";
import { taskEventTypes } from "../../domain/task/taskEvent.ts";
import { apiFixture } from "../testing/apiFixture.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely
async function document(): Promise<any> {
  const { ask } = await apiFixture();
  const answer = await ask("GET", "/asyncapi.json", { headers: { authorization: "" } });
  expect(answer.status).toBe(200);
  return answer.json;
}

const ajv = () => new Ajv({ strict: false, allErrors: true, validateFormats: false });

describe("the AsyncAPI document", () => {
  it("is valid by the official schema of AsyncAPI 3.0", async () => {
    // The official schema brings the meta-schema itself.
    const bare = new Ajv({ strict: false, meta: false, validateSchema: false, validateFormats: false });
    const validate = bare.compile(specs.schemas["3.0.0"] as object);
    const isValid = validate(await document());
    expect(validate.errors ?? []).toEqual([]);
    expect(isValid).toBe(true);
    // And says no where there is something to say.
    const wrong = await document();
    wrong.operations.sendFailed.action = "shout";
    expect(validate(wrong)).toBe(false);
  });

  it("has a channel, an operation and a message for every transition, and refers to nothing else", async () => {
    const { channels, operations, components } = await document();
    expect(Object.keys(channels)).toEqual([...taskEventTypes]);
    expect(Object.keys(operations)).toHaveLength(taskEventTypes.length);
    for (const [transition, schema] of currentSchemas) {
      const name = channels[transition].messages.event.$ref.split("/").at(-1);
      expect(components.messages[name].payload).toEqual({
        schemaFormat: "application/vnd.apache.avro;version=1.9.0",
        schema: JSON.parse(schema.text),
      });
      expect(channels[transition].address).toBe(`events.{tenant}.task.${transition}.{id}`);
    }
  });

  it("describes the headers that events have", async () => {
    const { components } = await document();
    for (const { event, bytes } of ledgerHistory().append("t1", ...lifeOf("f1"), bodies.erased()).events) {
      const headers = Object.fromEntries(cloudEventHeaders(cloudEventOf(event, bytes)));
      const message = Object.values(components.messages).find(
        // biome-ignore lint/suspicious/noExplicitAny: as above
        (one: any) => one.headers.properties["ce-type"].const === headers["ce-type"],
        // biome-ignore lint/suspicious/noExplicitAny: as above
      ) as any;
      const validate = ajv().compile(message.headers);
      expect(validate(headers), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});
