import { ErrorCode, NatsError } from "nats";
import { describe, expect, it } from "vitest";
import { Retryable } from "../errors.ts";
import { asNatsError } from "./natsError.ts";

const apiError = (code: number) => {
  const error = new NatsError("said no", ErrorCode.JetStream404NoMessages);
  error.api_error = { code, err_code: 10000 + code, description: "said no" };
  return error;
};

describe("an error of the NATS client", () => {
  it.each([ErrorCode.NoResponders, ErrorCode.Timeout, ErrorCode.Disconnect, ErrorCode.JetStreamNotEnabled])(
    "says that the server does not answer, and that it is asked again, for %s",
    (code) => {
      const told = asNatsError(NatsError.errorForCode(code));
      expect(told).toMatchObject({ family: "retryable", code: "NATS_UNAVAILABLE" });
      expect((told as Error).message).toMatch(/does not answer/);
    },
  );

  it("says that the server has no leader now, for an answer of the 500s", () => {
    expect(asNatsError(apiError(503))).toMatchObject({ code: "NATS_UNAVAILABLE" });
  });

  it.each([
    [400, 10005, "no suitable peers for placement", "NATS_TOO_FEW_SERVERS"],
    [500, 10074, "replicas > 1 not supported in non-clustered mode", "NATS_TOO_FEW_SERVERS"],
    [503, 10023, "insufficient resources", "NATS_NO_ROOM"],
    [500, 10028, "insufficient memory resources available", "NATS_NO_ROOM"],
    [500, 10047, "insufficient storage resources available", "NATS_NO_ROOM"],
    [503, 10039, "JetStream not enabled for account", "NATS_WITHOUT_JETSTREAM"],
    [503, 10076, "JetStream not enabled", "NATS_WITHOUT_JETSTREAM"],
    [400, 10065, "subjects overlap with an existing stream", "NATS_SUBJECTS_TAKEN"],
  ])(
    "says what an operator has to do, with the server's words, for %i %i %s",
    (code, err_code, words, told) => {
      const error = new NatsError(words, ErrorCode.JetStream404NoMessages);
      error.api_error = { code, err_code, description: words };
      expect(asNatsError(error)).toMatchObject({
        family: "retryable",
        code: told,
        message: expect.stringContaining(words),
        hint: expect.stringMatching(/^(Start|Raise|Turn|Give) /),
      });
    },
  );

  it("says that the credentials are refused, with the server's words", () => {
    const violation = new NatsError(
      "'Permissions Violation for Publish to \"$JS.API.INFO\"'",
      ErrorCode.PermissionsViolation,
    );
    expect(asNatsError(violation)).toMatchObject({
      family: "rejection",
      code: "NATS_REFUSED",
      message:
        'the NATS server refuses these credentials: Permissions Violation for Publish to "$JS.API.INFO"',
    });
  });

  it("stays what it is when it is an answer, or no error of the client", () => {
    const notFound = apiError(404);
    const own = new Retryable("LEDGER_UNAVAILABLE", "no");
    expect([asNatsError(notFound), asNatsError(own), asNatsError("x")]).toEqual([notFound, own, "x"]);
  });
});
