/** Answers that were written down beforehand: a run with them touches no network, and is the same everywhere. */
import { Rejection } from "../../kernel/errors.ts";
import { canonicalText } from "../membrane/canonicalText.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import type { NamedPath } from "../policy/agentConfig.ts";
import { readSource } from "../policy/readSource.ts";

export type Fixtures = (args: JsonObject) => JsonObject | null;

/**
 * Reads a fixture file: `{"fixtures": [{"args": {…}, "result": {…}}]}`, or for a tool whose calls have an id
 * `{"<id>": {…}}`. Gives the result for arguments, null for those that it does not know.
 * @throws Rejection `FIXTURE_REFUSED`, and those of reading the file
 */
export function readFixtures(file: NamedPath): Fixtures {
  const refused = () =>
    new Rejection("FIXTURE_REFUSED", `${file.name} is not a fixture file.`, {
      hint: 'Its form is {"fixtures": [{"args": {…}, "result": {…}}]}.',
    });
  let document: JsonValue;
  try {
    document = JSON.parse(readSource(file.path).text) as JsonValue;
  } catch (error) {
    if (error instanceof Rejection) throw error;
    throw refused();
  }
  if (!isJsonObject(document)) throw refused();
  const { fixtures } = document;
  if (fixtures === undefined) return byId(document);
  if (!Array.isArray(fixtures)) throw refused();
  const known = new Map<string, JsonObject>();
  for (const one of fixtures as JsonValue[]) {
    if (!isJsonObject(one) || !isJsonObject(one.args!) || !isJsonObject(one.result!)) throw refused();
    known.set(canonicalText(one.args), one.result);
  }
  return (args) => known.get(canonicalText(args)) ?? null;
}

function byId(document: JsonObject): Fixtures {
  return ({ id }) => {
    if (typeof id !== "string" || !Object.hasOwn(document, id)) return null;
    const found = document[id]!;
    return isJsonObject(found) ? { id, ...found } : null;
  };
}
