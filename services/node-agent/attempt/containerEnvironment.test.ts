import { describe, expect, it } from "vitest";
import { parseExecutionSpec } from "../executionSpec.ts";
import { withCaziEnvironment } from "./containerEnvironment.ts";

const ref = { tenant: "acme", task: "t1", attempt: 2, fence: "2.e" };
const spec = parseExecutionSpec('{"image":"a","environment":{"MODE":"fast"}}');
const secrets = { environment: { API_KEY: "k", MODE: "slow" }, files: {}, registries: {} };

describe("what Cazi puts into a container's environment", () => {
  it("is which attempt it is, its token, and the variables of connections; the spec's own win", () => {
    expect(withCaziEnvironment(spec, ref, { workload_token: "jwt", secrets }).environment).toEqual({
      MODE: "fast",
      API_KEY: "k",
      CAZI_TASK_ID: "t1",
      CAZI_ATTEMPT: "2",
      CAZI_WORKLOAD_TOKEN: "jwt",
    });
  });

  it("says where the files of connections are, only where there are any", () => {
    const files = { ...secrets, files: { "db/password": "cHc=" } };
    expect(
      withCaziEnvironment(spec, ref, { workload_token: null, secrets: files }).environment,
    ).toMatchObject({
      CAZI_SECRETS: "/run/secrets/cazi",
    });
    expect(withCaziEnvironment(spec, ref, { workload_token: null, secrets: null }).environment).toEqual({
      MODE: "fast",
      CAZI_TASK_ID: "t1",
      CAZI_ATTEMPT: "2",
    });
  });
});
