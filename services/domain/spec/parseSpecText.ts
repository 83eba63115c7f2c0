import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { specBytesMax } from "./limits.ts";
import { readJsonText } from "./readJsonText.ts";
import { readYamlText } from "./readYamlText.ts";
import { exceedsUtf8Bytes } from "./utf8Bytes.ts";

/**
 * Parses the text of a spec into plain JSON values. Its size is looked at first, so that a hostile text costs
 * nothing; what two readers could understand differently is refused: duplicate keys, aliases, several
 * documents, numbers that are not what they look like (`0777`, 2^53 + 1, `.inf`).
 * @param format `auto`: JSON when it is JSON, else YAML
 * @returns the value, or a refusal: `SPEC_TOO_LARGE`, `SPEC_TOO_DEEP`, `SPEC_SYNTAX` (with line and column),
 *   `SPEC_DUPLICATE_KEY`, `SPEC_ALIAS`, `SPEC_MULTIPLE_DOCUMENTS`, `SPEC_NUMBER`, `SPEC_INVALID`
 */
export function parseSpecText(text: string, format: "yaml" | "json" | "auto"): unknown | Refusal {
  if (exceedsUtf8Bytes(text, specBytesMax)) {
    const atLeast = Math.max(text.length, specBytesMax + 1);
    return refuse(
      "SPEC_TOO_LARGE",
      `A spec may have at most ${specBytesMax} bytes; this one has at least ${atLeast}.`,
    );
  }
  const read = readText(text, format);
  if (isRefusal(read)) return read;
  // Otherwise a text that says `refused: true` would pass for this function's own refusal, code and all.
  if (isRefusal(read.value)) {
    const message = "is not a known field";
    return refuse("SPEC_INVALID", `The spec is invalid: /refused ${message}.`, {
      details: [{ pointer: "/refused", message }],
    });
  }
  return read.value;
}

function readText(text: string, format: "yaml" | "json" | "auto"): { readonly value: unknown } | Refusal {
  if (format === "json") return readJsonText(text);
  if (format === "yaml" || !/^\ufeff?\s*[[{]/.test(text)) return readYamlText(text);
  const json = readJsonText(text);
  if (!isRefusal(json) || json.code !== "SPEC_SYNTAX") return json;
  // A flow map of YAML begins like JSON. Where neither reads it, the one that it looks like explains why.
  const yaml = readYamlText(text);
  return isRefusal(yaml) && /^\ufeff?\s*[[{]\s*"/.test(text) ? json : yaml;
}
