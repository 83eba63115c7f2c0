import { Composer, isAlias, isMap, isScalar, isSeq, type Pair, type Scalar, type YAMLError } from "yaml";
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { pointerTo } from "./jsonPointer.ts";
import { specDepthMax } from "./limits.ts";
import { wrongNumber } from "./numberText.ts";
import { textPosition } from "./textPosition.ts";
import { yamlTokens } from "./yamlTokens.ts";

interface Reading {
  readonly text: string;
  readonly path: (string | number)[];
}

/** The parser's messages quote the text. */
const MESSAGE_CHARS_MAX = 200;

const COMPOSING = {
  version: "1.2",
  schema: "core",
  strict: true,
  // Found here instead, in linear time.
  uniqueKeys: false,
  // No !!binary, !!set or !!timestamp: what JSON cannot say is an unresolved tag, so a warning, so refused.
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: "error",
} as const;

/**
 * Parses one YAML 1.2 document (core schema) into plain JSON values. The parser's errors and its warnings both
 * refuse; the tree is converted here, not by the library, so that each trap is found where it stands.
 * @returns the value, boxed, or a refusal as `parseSpecText` names them
 */
export function readYamlText(text: string): { readonly value: unknown } | Refusal {
  const tokens = yamlTokens(text);
  if (isRefusal(tokens)) return tokens;
  const [document, second] = [...new Composer(COMPOSING).compose(tokens, true, text.length)];
  if (document === undefined) return { value: null };
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) return syntax(text, problem);
  if (second !== undefined) {
    const message = "a second document begins; a spec is one document";
    return at(text, second.range[0], "SPEC_MULTIPLE_DOCUMENTS", message);
  }
  // A %YAML 1.1 directive would turn 0777 into octal and yes into true.
  if (document.directives?.yaml.version !== "1.2") {
    return refuse("SPEC_SYNTAX", "The spec must be YAML 1.2; leave the %YAML directive out.");
  }
  const reading: Reading = { text, path: [] };
  const value = plain(document.contents, reading);
  return isRefusal(value) ? value : { value: value.of };
}

function syntax(text: string, problem: YAMLError): Refusal {
  if (problem.code === "RESOURCE_EXHAUSTION")
    return refuse("SPEC_TOO_DEEP", "The spec nests too deep.", {
      details: [{ pointer: "", message: "nests too deep" }],
    });
  return at(text, problem.pos[0], "SPEC_SYNTAX", problem.message.slice(0, MESSAGE_CHARS_MAX));
}

function at(text: string, offset: number, code: string, message: string, pointer = ""): Refusal {
  const place = textPosition(text, offset);
  return refuse(code, `The spec cannot be read, ${place}: ${message}.`, {
    details: [{ pointer, message: `${place}: ${message}` }],
  });
}

/** The JSON value of a node, boxed as `of`: a value may look like a refusal. */
function plain(node: unknown, reading: Reading): { readonly of: unknown } | Refusal {
  if (node === null) return { of: null };
  if (isScalar(node)) return plainScalar(node, reading);
  if (isAlias(node)) return fault(node, reading, "SPEC_ALIAS", "an alias; write the value out");
  if (reading.path.length >= specDepthMax) {
    const message = `nests deeper than ${specDepthMax} levels`;
    return refuse("SPEC_TOO_DEEP", `A spec may nest at most ${specDepthMax} levels deep.`, {
      details: [{ pointer: pointerTo(reading.path), message }],
    });
  }
  if (isSeq(node)) return plainItems(node.items, reading);
  if (isMap(node)) return plainMembers(node.items, reading);
  return fault(node, reading, "SPEC_SYNTAX", "neither a map nor a list nor a plain value");
}

function plainScalar(node: Scalar, reading: Reading): { readonly of: unknown } | Refusal {
  const { value } = node;
  if (typeof value !== "number") return { of: value };
  const wrong = wrongNumber(node.source ?? "", value);
  return wrong === null ? { of: value + 0 } : fault(node, reading, "SPEC_NUMBER", wrong);
}

function plainItems(items: readonly unknown[], reading: Reading): { readonly of: unknown } | Refusal {
  const list: unknown[] = [];
  for (const [index, item] of items.entries()) {
    reading.path.push(index);
    const value = plain(item, reading);
    if (isRefusal(value)) return value;
    reading.path.pop();
    list.push(value.of);
  }
  return { of: list };
}

function plainMembers(pairs: readonly Pair[], reading: Reading): { readonly of: unknown } | Refusal {
  const members = new Map<string, unknown>();
  for (const { key, value: node } of pairs) {
    const name = isScalar(key) ? key.value : undefined;
    if (typeof name !== "string") {
      return fault(key, reading, "SPEC_SYNTAX", "a key that is not text; write it in quotes");
    }
    reading.path.push(name);
    if (members.has(name)) {
      return fault(
        key,
        reading,
        "SPEC_DUPLICATE_KEY",
        `the key ${JSON.stringify(name.slice(0, 80))} is given twice`,
      );
    }
    const value = plain(node, reading);
    if (isRefusal(value)) return value;
    reading.path.pop();
    members.set(name, value.of);
  }
  // Unlike an assignment this makes an own property of `__proto__`, where the next reader sees and refuses it.
  return { of: Object.fromEntries(members) };
}

function fault(node: unknown, reading: Reading, code: string, message: string): Refusal {
  const range = (node as { readonly range?: readonly [number, number, number] | null } | null)?.range;
  return at(reading.text, range?.[0] ?? 0, code, message, pointerTo(reading.path));
}
