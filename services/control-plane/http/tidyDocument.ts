/**
 * The OpenAPI document without what the schema library leaves in it: twins of components that nothing refers to,
 * and examples of requests at the answers' twin, which has every default filled in. Pure.
 */
export function tidied<D extends object>(document: D): D {
  const { components = {} } = document as { components?: { schemas?: Record<string, object> } };
  const schemas = { ...components.schemas };
  for (const name of Object.keys(schemas)) {
    if (!(`${name}Input` in schemas)) continue;
    const { examples: _, ...rest } = schemas[name] as { readonly examples?: unknown };
    schemas[name] = rest;
  }
  const result = { ...document, components: { ...components, schemas } };
  // What only an unused twin refers to is unused as well.
  for (let unused = unusedOf(result); unused.length > 0; unused = unusedOf(result)) {
    for (const name of unused) delete schemas[name];
  }
  return result;
}

function unusedOf(document: { readonly components: { readonly schemas: object } }): readonly string[] {
  const used = new Set(references(document));
  return Object.keys(document.components.schemas).filter((name) => !used.has(`#/components/schemas/${name}`));
}

function references(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : references(inner),
  );
}
