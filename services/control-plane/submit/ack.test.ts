import { describe, expect, it } from "vitest";
import { decideAck } from "./ack.ts";

const facts = { setting: "auto", postgresSyncs: true, natsVersion: "2.9.10", natsReplicated: false } as const;

describe("what an acknowledgement means", () => {
  it("is the copy in Postgres where only Postgres waits for its disk", () => {
    expect(decideAck(facts)).toBe("projected");
  });

  it("is the ledger alone where it survives a power cut, or where nothing does", () => {
    expect(decideAck({ ...facts, natsVersion: "2.10.0" })).toBe("published");
    expect(decideAck({ ...facts, natsVersion: "3.0.0-beta.1" })).toBe("published");
    expect(decideAck({ ...facts, postgresSyncs: false })).toBe("published");
  });

  it("is the copy in Postgres too on a cluster of NATS servers, whose change of leader may hide an event", () => {
    const cluster = { ...facts, natsReplicated: true };
    expect(decideAck(cluster)).toBe("projected");
    expect(decideAck({ ...cluster, natsVersion: "2.12.0", postgresSyncs: false })).toBe("projected");
  });

  it("is what was set, whatever the facts", () => {
    expect(decideAck({ ...facts, setting: "published" })).toBe("published");
    expect(decideAck({ ...facts, setting: "projected", natsVersion: "2.12.0" })).toBe("projected");
  });
});
