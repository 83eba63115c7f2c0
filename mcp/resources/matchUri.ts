/** Which values a URI gives to a template's variables. Own and linear: a client writes the URI. Pure. */

/**
 * @param template as `ResourceDefinition.uriTemplate`
 * @returns the variables, or null where the URI is not of this template
 */
export function matchUri(template: string, uri: string): Readonly<Record<string, string>> | null {
  const [path = "", query = ""] = uri.split("?", 2);
  const shape = template.replace(/\{\?[\w,]+\}$/, "").split("/");
  const given = path.split("/");
  if (given.length !== shape.length || uri.includes("#")) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of shape.entries()) {
    const variable = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = variable === undefined ? given[index] : decoded(given[index]!);
    if (variable === undefined ? value !== part : !value) return null;
    if (variable !== undefined) values[variable] = value!;
  }
  const known = /\{\?([\w,]+)\}$/.exec(template)?.[1]?.split(",") ?? [];
  for (const [name, value] of new URLSearchParams(query)) {
    if (!known.includes(name)) return null;
    values[name] = value;
  }
  return values;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
