import { expect, it } from "vitest";
import { fromLabels, toLabels } from "./containerLabels.ts";

const ref = { tenant: "acme", task: "t1", attempt: 2, fence: "2-x" };
const terms = {
  timeoutMs: 1000,
  stopGraceMs: 500,
  outputBytesMax: 10,
  grantedAt: { epoch: "e", seq: 7 },
  image: { ref: "a", repo_digest: null, image_id: "sha256:1" },
};

it("an attempt is read back from the labels of its container", () => {
  expect(fromLabels(toLabels({ instance: "i", node: "n" }, ref, terms))).toEqual({ ref, terms });
});

it("terms of another version are unknown, and the attempt is still known", () => {
  const labels = { ...toLabels({ instance: "i", node: "n" }, ref, terms), "cazi.terms": '{"other":1}' };
  expect(fromLabels(labels)).toEqual({ ref, terms: null });
});

it("a container without the labels of an attempt is none", () => {
  expect(fromLabels({})).toBeNull();
  expect(
    fromLabels({ ...toLabels({ instance: "i", node: "n" }, ref, terms), "cazi.attempt": "x" }),
  ).toBeNull();
});
