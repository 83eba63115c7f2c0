import { expect, it } from "vitest";
import { localEndpoints, type Reply } from "../testing/localEndpoints.ts";
import { modelPlane } from "./modelPlane.ts";

/** What calls of a model come to, beside a control plane that answers so. */
async function callsBeside(reply: (count: number) => Reply, calls = 1) {
  const plane = await localEndpoints((_asked, count) => reply(count));
  const records: object[] = [];
  try {
    const { network } = plane;
    const portOf = modelPlane({ url: "http://plane.test/model", token: "of-the-attempt", network });
    const outcomes: unknown[] = [];
    for (let call = 0; call < calls; call++) {
      const sent = portOf((type, fields) => records.push({ type, ...fields })).send({
        url: "https://model.test/v1/responses",
        method: "POST",
        headers: {},
        body: JSON.stringify({ model: "m", input: "i", store: false }),
        signal: AbortSignal.timeout(5_000),
      });
      outcomes.push(await sent.catch(({ code, message }) => ({ code, message })));
    }
    return { outcomes, records, asked: plane.asked };
  } finally {
    await plane.close();
  }
}

it("asks for a call by its number, again while it is not answered, and gives what the model's address answered", async () => {
  const { outcomes, records, asked } = await callsBeside((count) => {
    if (count === 1) return { status: 503, body: { code: "MODEL_NOT_READY" } };
    return { body: { status: 429, retry_after_seconds: 7, text: "" } };
  }, 2);
  expect(outcomes).toEqual(Array(2).fill({ status: 429, retryAfterSeconds: 7, text: "" }));
  expect(asked.map(({ url }) => url)).toEqual(["0", "0", "1"].map((one) => `http://plane.test/model/${one}`));
  expect(asked.every(({ headers }) => headers.authorization === "Bearer of-the-attempt")).toBe(true);
  const question = { endpoint: "https://model.test/v1/responses", model: "m", input: "i" };
  expect(asked.map(({ body }) => JSON.parse(body))).toEqual(Array(3).fill(question));
  expect(records).toMatchObject([
    { type: "model_request", number: 0 },
    { type: "model_request", number: 1 },
  ]);
});

it.each([
  [403, "MODEL_CALLS_EXCEEDED", "MODEL_CALL_REFUSED"],
  [409, "MODEL_ENDPOINT_CHANGED", "MODEL_CALL_REFUSED"],
  [409, "MODEL_OUTCOME_UNKNOWN", "MODEL_CALL_UNKNOWN"],
  [500, "MODEL_NO_ANSWER", "MODEL_CALL_UNKNOWN"],
])("tells an answer %i %s of the control plane as %s, and does not ask again", async (status, code, told) => {
  const { outcomes, asked } = await callsBeside(() => ({ status, body: { code } }));
  expect(outcomes).toEqual([{ code: told, message: expect.stringContaining(code) }]);
  expect(asked).toHaveLength(1);
});
