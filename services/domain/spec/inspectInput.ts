import { type Refusal, refuse } from "../refusal.ts";
import { pointerTo } from "./jsonPointer.ts";
import { detailsMax, specDepthMax, specInputCharsMax, specNodesMax } from "./limits.ts";

/** NUL, or a surrogate without its partner (with the `u` flag a paired one does not match). */
const UNFIT_CHARACTER = /[\0\ud800-\udfff]/u;

type Detail = { readonly pointer: string; readonly message: string };
interface Walk {
  nodes: number;
  chars: number;
  readonly details: Detail[];
  readonly path: (string | number)[];
}

/**
 * Looks over an input before any schema sees it: bounded in depth, count and size; nothing that JSON cannot
 * say; no NUL, no half of a surrogate pair, no `__proto__` (schema libraries drop that key without a word).
 * @returns how many characters its strings and keys have, or a refusal `SPEC_TOO_DEEP`, `SPEC_TOO_LARGE`,
 *   `SPEC_INVALID`
 */
export function inspectInput(input: unknown): { readonly chars: number } | Refusal {
  const walk: Walk = { nodes: 0, chars: 0, details: [], path: [] };
  const unbounded = inspectValue(input, walk);
  if (unbounded !== null) return unbounded;
  const [first] = walk.details;
  if (first === undefined) return { chars: walk.chars };
  return refuse("SPEC_INVALID", `The spec is invalid: ${first.pointer || "it"} ${first.message}.`, {
    details: walk.details,
  });
}

function inspectValue(value: unknown, walk: Walk): Refusal | null {
  walk.nodes += 1;
  if (walk.nodes > specNodesMax) {
    return refuse("SPEC_TOO_LARGE", `A spec may hold at most ${specNodesMax} values.`);
  }
  switch (typeof value) {
    case "string":
      return inspectText(value, walk);
    case "number":
      if (!Number.isFinite(value)) report(walk, "must be a finite number");
      return null;
    case "boolean":
    case "undefined":
      return null;
    case "object":
      return value === null ? null : inspectCollection(value, walk);
    default:
      report(walk, `cannot be a ${typeof value}`);
      return null;
  }
}

function inspectText(text: string, walk: Walk): Refusal | null {
  walk.chars += text.length;
  if (walk.chars > specInputCharsMax) {
    return refuse("SPEC_TOO_LARGE", `The texts of a spec may have at most ${specInputCharsMax} characters.`);
  }
  if (UNFIT_CHARACTER.test(text)) {
    report(walk, text.includes("\0") ? "holds a NUL character" : "holds half of a surrogate pair");
  }
  return null;
}

function inspectCollection(value: object, walk: Walk): Refusal | null {
  if (walk.path.length >= specDepthMax) {
    return refuse("SPEC_TOO_DEEP", `A spec may nest at most ${specDepthMax} levels deep.`);
  }
  if (Array.isArray(value)) return inspectItems(value, walk);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    report(walk, "is no JSON value");
    return null;
  }
  return inspectMembers(value as Readonly<Record<string, unknown>>, walk);
}

function inspectItems(items: readonly unknown[], walk: Walk): Refusal | null {
  for (let index = 0; index < items.length; index++) {
    walk.path.push(index);
    const unbounded = inspectValue(items[index], walk);
    if (unbounded !== null) return unbounded;
    walk.path.pop();
  }
  return null;
}

function inspectMembers(members: Readonly<Record<string, unknown>>, walk: Walk): Refusal | null {
  for (const name of Object.keys(members)) {
    walk.path.push(name);
    if (name === "__proto__") report(walk, "is a name that cannot be used");
    const unbounded = inspectText(name, walk) ?? inspectValue(members[name], walk);
    if (unbounded !== null) return unbounded;
    walk.path.pop();
  }
  return null;
}

function report(walk: Walk, message: string): void {
  // The first ones tell the fault; what is invalid stays invalid.
  if (walk.details.length < detailsMax) walk.details.push({ pointer: pointerTo(walk.path), message });
}
