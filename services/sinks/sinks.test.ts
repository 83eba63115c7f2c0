import { describe, expect, it } from "vitest";
import { outcomeOfAnswer } from "./http/outcomeOfAnswer.ts";
import { TargetQueue } from "./targetQueue.ts";
import { isSigningSecret, webhookHeaders } from "./webhook/signWebhook.ts";

describe("a signature", () => {
  it("is the one of Standard Webhooks' own vector", () => {
    const headers = webhookHeaders({
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      at: 1_614_265_330_999,
      body: Buffer.from('{"test": 2432232314}'),
      secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    });
    expect(headers).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("needs a secret of the right form", () => {
    expect(isSigningSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe(true);
    for (const text of ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_short", "whsec_!!!", "whsec_"])
      expect(isSigningSecret(text)).toBe(false);
  });
});

describe("an answer", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  const outcome = (status: number, retryAfter: string | null = null, text = "") =>
    outcomeOfAnswer({ status, retryAfter, text }, now);

  it("of 2xx is a delivery, of 410 the end, of anything else a failure", () => {
    expect(outcome(204)).toEqual({ result: "delivered", receipt: "HTTP 204" });
    expect(outcome(410)).toMatchObject({ result: "failed", final: true });
    expect(outcome(302)).toMatchObject({ final: false, message: "HTTP 302: redirects are not followed" });
    expect(outcome(500, null, "a\n\u001b[31mb")).toMatchObject({ message: "HTTP 500: a [31mb" });
  });

  it("says when to come again, in seconds or as a date, where it may", () => {
    expect(outcome(429, "120")).toMatchObject({ retryAfterMs: 120_000 });
    expect(outcome(503, "Mon, 30 Nov 2026 12:01:00 GMT")).toMatchObject({ retryAfterMs: 60_000 });
    expect(outcome(503, "soon")).toMatchObject({ retryAfterMs: null });
    expect(outcome(500, "120")).toMatchObject({ retryAfterMs: null });
  });
});

describe("the queue of targets", () => {
  it("runs so many at a target and in all, and the others when there is room", async () => {
    const queue = new TargetQueue({ perTargetMax: 2, max: 3 });
    const running: string[] = [];
    const ends = new Map<string, () => void>();
    const add = (target: string, name: string) =>
      queue.add(target, async () => {
        running.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
    for (const name of ["a1", "a2", "a3"]) add("a", name);
    for (const name of ["b1", "b2"]) add("b", name);
    expect(running).toEqual(["a1", "a2", "b1"]);
    const end = async (name: string) => {
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    await end("b1");
    expect(running).toEqual(["a1", "a2", "b1", "b2"]);
    await end("a1");
    expect(running.at(-1)).toBe("a3");
    for (const name of ["a2", "a3", "b2"]) await end(name);
    await queue.drain();
  });
});
