/** Rules on output sinks that a JSON Schema cannot say; each is a check of the schema library. */
import type { z } from "zod";
import { sinkId } from "../sinks/sinkId.ts";
import { whyBadTemplate } from "../sinks/template.ts";

type Checked<T> = z.core.ParsePayload<T>;

function fault<T>(checked: Checked<T>, message: string, path?: PropertyKey[]): void {
  checked.issues.push({ code: "custom", message, input: checked.value, ...(path ? { path } : {}) });
}

/** An address that a request can be sent to. Where it may lead is a matter of policy, not of form. */
export function webAddress(checked: Checked<string>): void {
  if (!URL.canParse(checked.value)) {
    fault(checked, "must be an address such as https://example.com/hook");
    return;
  }
  const url = new URL(checked.value);
  if (url.protocol !== "https:" && url.protocol !== "http:") fault(checked, "must begin with https://");
  if (url.username !== "" || url.password !== "")
    fault(checked, "must hold no user or password: the record is readable; use a connection");
  if (url.hash !== "") fault(checked, "must have no part after '#'");
}

/** As it is really called: `https://127.1/` is written `https://127.0.0.1/` in the record. */
export function plainAddress(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

export function nameTemplate(slashes: boolean) {
  return (checked: Checked<string>) => {
    const why = whyBadTemplate(checked.value, slashes);
    if (why !== null) fault(checked, why);
  };
}

interface AnySink {
  readonly name: string | null;
  readonly type: string;
  readonly file_name?: string;
  readonly content?: string;
}

/** Two sinks of one id, or of one file, could not be told apart afterwards. */
export function distinctSinks(checked: Checked<readonly AnySink[]>): void {
  const ids = new Set<string>();
  const files = new Set<string>();
  for (const [index, sink] of checked.value.entries()) {
    const id = sinkId(sink, index);
    if (ids.has(id)) fault(checked, "is the name of an earlier sink too", [index, "name"]);
    ids.add(id);
    if (sink.type !== "file") continue;
    const file = sink.file_name!.replaceAll("{sink}", id).replaceAll("{content}", sink.content!);
    if (files.has(file)) fault(checked, "is the file of an earlier sink too", [index, "file_name"]);
    files.add(file);
  }
}

/** A downstream task is written in one of two ways, and each of them whole. */
export function specOrTemplate(
  checked: Checked<{ readonly spec?: unknown; readonly template?: unknown; readonly target?: unknown }>,
): void {
  const { spec, template, target } = checked.value;
  if (spec === undefined && template === undefined)
    fault(checked, "is missing: say which task to submit, as spec or as template with target", ["spec"]);
  if (spec !== undefined && template !== undefined)
    fault(checked, "cannot be given beside spec", ["template"]);
  if (template !== undefined && target === undefined)
    fault(checked, "is missing: say what TARGET in the template becomes", ["target"]);
  if (template === undefined && target !== undefined)
    fault(checked, "belongs to a template, and there is none", ["target"]);
}
