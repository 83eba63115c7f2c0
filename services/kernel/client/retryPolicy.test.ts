import { describe, expect, it } from "vitest";
import { type CaziError, Rejection, Retryable } from "../errors.ts";
import { pauseBeforeRetry, retryBudgetMs } from "./retryPolicy.ts";

const failed = (error: unknown, more: Partial<Parameters<typeof pauseBeforeRetry>[0]> = {}) =>
  pauseBeforeRetry({ error, pauses: 0, elapsedMs: 0, retryAfterMs: null, reached: true, random: 1, ...more });
const retryable = (code: string, fields = {}): CaziError => new Retryable(code, "not now", { fields });
const refused = retryable("API_UNREACHABLE", { refused: true });

describe("pauseBeforeRetry", () => {
  it("tries again, with growing pauses up to a limit, until the budget is spent", () => {
    const unknown = retryable("ACK_UNKNOWN");
    const pauses = [0, 1, 2, 3, 4, 5, 20].map((count) => failed(unknown, { pauses: count }));
    expect(pauses).toEqual([200, 400, 800, 1600, 3000, 3000, 3000]);
    expect(failed(unknown, { random: 0 })).toBe(100);
    expect(failed(unknown, { elapsedMs: retryBudgetMs })).toBeNull();
    expect(failed(unknown, { budgetMs: 0 })).toBeNull();
  });

  it("comes back when the server says, if that is within the budget", () => {
    expect(failed(retryable("PROJECTOR_DOWN"), { retryAfterMs: 5_000 })).toBe(5_000);
    expect(failed(retryable("PROJECTOR_DOWN"), { retryAfterMs: 60_000 })).toBeNull();
  });

  it("does not wait for a server that was never there, and does for one that went away", () => {
    expect(failed(refused, { reached: false })).toBeNull();
    expect(failed(refused, { reached: true })).not.toBeNull();
    expect(failed(retryable("API_UNREACHABLE"), { reached: false })).not.toBeNull();
  });

  it("gives up where repeating changes nothing", () => {
    expect(failed(new Rejection("SPEC_INVALID", "no"))).toBeNull();
    expect(failed(retryable("LEDGER_REGRESSED"))).toBeNull();
    expect(failed(new Error("a bug"))).toBeNull();
  });
});
