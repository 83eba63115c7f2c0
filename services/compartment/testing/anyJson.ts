/** Any JSON that a program could send, with what has broken membranes before: names, half surrogates, edges of numbers. */
import fc from "fast-check";

const awkward = fc.constantFrom(
  "__proto__",
  "constructor",
  "toJSON",
  "\ud800",
  "a\0b",
  "\u2028",
  '"}{"',
  "é",
  "\n",
  "1",
  "-1",
);
const key = fc.oneof(awkward, fc.string({ unit: "binary", maxLength: 8 }));
const number = fc.constantFrom(0, -0, 1e308, -1e-308, 2 ** 53, 2 ** 53 + 2, 0.1, 5e-324, -1);
const { value } = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      number,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      key,
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(key, tie("value")), { maxLength: 4 })
    .map((members) => Object.fromEntries(members)),
}));

export const anyJson = value;
