/** Templates: a spec with the placeholder TARGET, made into a spec for one target. Pure. */
import { type Refusal, refuse } from "../refusal.ts";
import { specBytesMax } from "./limits.ts";

/** Whole words alone, so that an option called TARGETURI or MY_TARGET stays as it is. */
const PLACEHOLDER = /(?<![\p{L}\p{N}_])TARGET(?![\p{L}\p{N}_])/gu;

type Json = Readonly<Record<string, unknown>>;

/**
 * The spec that a template stands for: each whole word TARGET in a text of it becomes `target`, literally and once, so
 * a target that holds the word itself, or `$&`, is no more than text. Names of fields, variables and labels stay. So
 * does the template of a task sink within: its TARGET is its own, and its `target` may say TARGET to hand ours on.
 * @param template JSON values of bounded depth, as `inspectInput` lets through; not read as a spec yet
 * @returns the values, to be read by `readSpec`; or a refusal: `TEMPLATE_WITHOUT_TARGET`, or `SPEC_TOO_LARGE` before
 *   what is too large is built
 */
export function substituteTarget(template: Json, target: string): { readonly spec: Json } | Refusal {
  let found = 0;
  let chars = 0;
  const inText = (text: string): string => {
    const count = text.match(PLACEHOLDER)?.length ?? 0;
    found += count;
    chars += text.length + count * target.length;
    return count === 0 || chars > specBytesMax ? text : text.replace(PLACEHOLDER, () => target);
  };
  const anywhere = (value: unknown): unknown => {
    if (typeof value === "string") return inText(value);
    if (Array.isArray(value)) return value.map(anywhere);
    return isObject(value) ? mapValues(value, anywhere) : value;
  };
  const inSink = (sink: unknown): unknown =>
    isObject(sink)
      ? mapValues(sink, (value, name) => {
          if (name === "template") return value;
          return name === "spec" && isObject(value) ? inSpec(value) : anywhere(value);
        })
      : anywhere(sink);
  const inSpec = (spec: Json): Json =>
    mapValues(spec, (value, name) =>
      name === "output_sinks" && Array.isArray(value) ? value.map(inSink) : anywhere(value),
    );

  const spec = inSpec(template);
  if (chars > specBytesMax) {
    return refuse(
      "SPEC_TOO_LARGE",
      `A spec may have at most ${specBytesMax} bytes as JSON; the template has more with its target put in.`,
    );
  }
  if (found > 0) return { spec };
  return refuse("TEMPLATE_WITHOUT_TARGET", "The template has no placeholder: the word TARGET is not in it.", {
    hint: "Write TARGET where the target belongs, or give the spec as spec instead of template.",
    details: [{ pointer: "", message: "must hold the whole word TARGET" }],
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(value: Json, change: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]));
}
