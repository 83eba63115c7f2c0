import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cloudEventHeaders, percentEncode } from "./cloudEvents.ts";

describe("attributes of a CloudEvent in headers", () => {
  it("are percent-encoded as the binding says: what is not visible ASCII, quotes and percent signs", () => {
    expect(percentEncode("/tenants/acme;a=1:2")).toBe("/tenants/acme;a=1:2");
    expect(percentEncode('Euro € "50" %')).toBe("Euro%20%E2%82%AC%20%2250%22%20%25");
  });

  it("never hold a line break or a space, and come back whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const encoded = percentEncode(text);
        expect(encoded).toMatch(/^[\x21-\x7e]*$/);
        expect(decodeURIComponent(encoded)).toBe(text);
      }),
    );
  });

  it("leave out a trace context that is not there", () => {
    const attributes = {
      specversion: "1.0",
      id: "a",
      source: "/",
      type: "t",
      subject: "s",
      time: "now",
      datacontenttype: "application/avro",
      dataschema: "/v1/schemas/00",
    } as const;
    expect(cloudEventHeaders(attributes).map(([name]) => name)).not.toContain("ce-traceparent");
  });
});
