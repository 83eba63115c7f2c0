/** Names of files and keys that a spec may write with placeholders. Pure. */

/** What a placeholder may stand for; each value is of letters, digits, '.', '_' and '-' alone. */
export const placeholders = ["tenant", "task", "status", "attempt", "date", "sink", "content"] as const;
export type TemplateValues = Readonly<Record<(typeof placeholders)[number], string>>;

const PLACEHOLDER = /\{([^{}]*)\}/g;
const SAFE_VALUE = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * Why `template` cannot be a name, or null. The values of placeholders cannot make a name of it that its text alone
 * would not be: none holds a slash, and none begins with a dot.
 * @param slashes whether it may have several parts
 */
export function whyBadTemplate(template: string, slashes: boolean): string | null {
  for (const [, name] of template.matchAll(PLACEHOLDER)) {
    if (!(placeholders as readonly string[]).includes(name!))
      return `has the unknown placeholder {${name}}; known are ${placeholders.map((one) => `{${one}}`).join(", ")}`;
  }
  const plain = template.replaceAll(PLACEHOLDER, "x");
  if (!/^[A-Za-z0-9._=/-]+$/.test(plain))
    return "may hold letters, digits, '.', '_', '=', '-' and placeholders only";
  if (!slashes && plain.includes("/")) return "must be one name without '/'";
  const isOdd = plain.split("/").some((part) => part === "" || part === "." || part === "..");
  return isOdd ? "must have no empty part, '.' or '..' between its slashes, and none at its ends" : null;
}

/** The name that a good template stands for. @throws Error for a value that is no plain name: a bug of the caller */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(PLACEHOLDER, (_, name: keyof TemplateValues) => {
    const value = values[name];
    if (!SAFE_VALUE.test(value)) throw new Error(`${name} is no plain name`);
    return value;
  });
}
