import { describe, expect, it } from "vitest";
import { createRedactor } from "./redaction.ts";

const SECRETS = ['quo"te\\back', "line\nbreak", "ümläut-secret", "a+b/c=d?e", "plain-secret"];
const redactor = createRedactor({ fields: ['X-Ke"y', "kelvin"], secrets: SECRETS });
const foreign = createRedactor({ fields: ["\u0130stanbul"], secrets: [] });

describe("the text of a record", () => {
  it("is that of the redacted record, whatever stands in it and however it is written", () => {
    const values = [
      "nothing here",
      ...SECRETS,
      ...SECRETS.map((secret) => `before ${secret} after`),
      ...SECRETS.map(encodeURIComponent),
      ...SECRETS.map((secret) => Buffer.from(secret).toString("base64")),
      "token",
      '"token":',
    ];
    const records = [
      ...values.map((value) => ({ type: "t", value })),
      ...values.map((value) => ({ type: "t", deep: [{ [value]: value }] })),
      ...["token", "TOKEN", "to\u212aen", "\u212aelvin", "to\u017fen", 'x-ke"y', "Api_Key", "ordinary"].map(
        (name) => ({
          nested: { [name]: "v" },
        }),
      ),
    ];
    for (const record of records) {
      expect(redactor.recordText(record)).toBe(JSON.stringify(redactor.record(record)));
    }
  });

  it("redacts a name by any case, also by letters that are one only in lower case", () => {
    expect(foreign.recordText({ "\u0130STANBUL": 1 })).toBe('{"\u0130STANBUL":"[REDACTED]"}');
    expect(redactor.recordText({ "to\u212aen": 1, Password: 2, other: 3 })).toBe(
      '{"to\u212aen":"[REDACTED]","Password":"[REDACTED]","other":3}',
    );
  });

  it("leaves out what is not there", () => {
    expect(redactor.recordText({ a: 1, b: undefined } as never)).toBe('{"a":1}');
  });
});
