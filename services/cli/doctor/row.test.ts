import { describe, expect, it } from "vitest";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { rowsOr } from "./row.ts";

const of = { first: "nats", others: ["nats_accounts"], whenAway: "Start it, or correct NATS_URL." } as const;
const nextOf = async (failure: unknown) => (await rowsOr(of, () => Promise.reject(failure)))[0]!.next;

describe("a look that fails", () => {
  it("tells of a server that does not answer where to start it, and of any other failure its own advice", async () => {
    const away = new Retryable("NATS_UNAVAILABLE", "no NATS server answers", { hint: "Unset NATS_URL." });
    const unsafe = new Rejection("NATS_TLS_FAILED", "no encrypted connection", { hint: "Set NATS_CA." });
    expect(await nextOf(away)).toBe(of.whenAway);
    expect(await nextOf(unsafe)).toBe("Set NATS_CA.");
    expect(await nextOf(new Error("503"))).toBe(of.whenAway);
  });

  it("leaves what depends on it not looked at", async () => {
    const rows = await rowsOr(of, () => Promise.reject(new Error("no answer")));
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      ["nats", "fail"],
      ["nats_accounts", "unknown"],
    ]);
  });
});
