import { describe, expect, it } from "vitest";
import { decideAck } from "./ack.ts";

const facts = { setting: "auto", postgresSyncs: true, natsReplicated: false } as const;

describe("what an acknowledgement means", () => {
  it("is the copy in Postgres where Postgres waits for its disk", () => {
    expect(decideAck(facts)).toBe("projected");
  });

  it("is the ledger alone where nothing is known to survive a power cut", () => {
    expect(decideAck({ ...facts, postgresSyncs: false })).toBe("published");
  });

  it("is the copy in Postgres too on a cluster of NATS servers, whose change of leader may hide an event", () => {
    expect(decideAck({ ...facts, natsReplicated: true, postgresSyncs: false })).toBe("projected");
  });

  it("is what was set, whatever the facts", () => {
    expect(decideAck({ ...facts, setting: "published", natsReplicated: true })).toBe("published");
    expect(decideAck({ ...facts, setting: "projected", postgresSyncs: false })).toBe("projected");
  });
});
