import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import avro from "avsc";
import { describe, expect, it } from "vitest";
import { taskEventTypes } from "../services/domain/task/taskEvent.ts";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { crc64Avro } from "./crc64Avro.ts";
import { loadSchema } from "./loadSchemas.ts";
import { sampleEvents } from "./sampleEvents.ts";
import { allSchemas, currentSchemas, decodeTaskEvent, encodeTaskEvent, findSchema } from "./taskEvents.ts";

const golden = join(projectRoot, "schemas", "golden");
const read = (name: string) => readFileSync(join(golden, name), "utf8");

describe("task events as bytes", () => {
  it("fingerprints agree with the vectors of other Avro implementations", () => {
    expect(Buffer.from(crc64Avro('"int"')).reverse().toString("hex")).toBe("7275d51a3f395c8f");
    expect(Buffer.from(crc64Avro('"null"')).reverse().toString("hex")).toBe("63dd24e7cc258f8a");
  });

  it("has a schema and a sample for every transition", () => {
    expect([...currentSchemas.keys()]).toEqual([...taskEventTypes]);
    expect(sampleEvents().map((event) => event.body.type)).toEqual([...taskEventTypes]);
  });

  it.each(sampleEvents().map((event) => [event.body.type, event] as const))(
    "reads %s back as it was written",
    (_type, event) => {
      expect(decodeTaskEvent(encodeTaskEvent(event))).toEqual(event);
    },
  );

  it("has released every schema that it writes", () => {
    const released = new Set(readdirSync(join(projectRoot, "schemas", "released")));
    for (const schema of currentSchemas.values()) expect(released).toContain(`${schema.fingerprint}.json`);
  });

  it("finds every released schema under the fingerprint that its file is named by", () => {
    const released = allSchemas().filter(({ fingerprint }) => findSchema(fingerprint) !== undefined);
    expect(released.length).toBeGreaterThanOrEqual(
      readdirSync(join(projectRoot, "schemas", "released")).length,
    );
    for (const { text, fingerprint } of released) {
      expect(loadSchema(JSON.parse(text)).fingerprint).toBe(fingerprint);
    }
  });

  it.each(readdirSync(golden).filter((name) => name.endsWith(".hex")))(
    "decodes the released bytes of %s",
    (name) => {
      const event = decodeTaskEvent(Buffer.from(read(name).trim(), "hex"));
      expect(event).toMatchObject(JSON.parse(read(name.replace(".hex", ".json"))));
    },
  );

  it("serves self-contained texts that another reader can load", () => {
    for (const schema of currentSchemas.values()) {
      expect(findSchema(schema.fingerprint)?.text).toBe(schema.text);
      expect(avro.Type.forSchema(JSON.parse(schema.text)).name).toBe(schema.name);
    }
  });

  it("refuses bytes of a schema nobody released, naming its fingerprint", () => {
    const bytes = Buffer.concat([Buffer.from([0xc3, 0x01]), Buffer.alloc(8, 7), Buffer.from([0])]);
    expect(() => decodeTaskEvent(bytes)).toThrow(
      expect.objectContaining({
        code: "EVENT_UNKNOWN",
        message: expect.stringContaining("0707070707070707"),
      }),
    );
  });

  it("refuses a truncated event rather than reading part of it", () => {
    const whole = encodeTaskEvent(sampleEvents()[0]!);
    for (const length of [0, 1, 9, 10, 30, whole.length - 1]) {
      expect(() => decodeTaskEvent(whole.subarray(0, length))).toThrow(
        expect.objectContaining({ code: "EVENT_UNDECODABLE" }),
      );
    }
  });
});
