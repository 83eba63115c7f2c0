/**
 * Fields that are in the schema and have no behaviour yet. Each is refused when it differs from its default,
 * never ignored: a record must not promise what was not done. An entry goes when its behaviour lands.
 */
type IsAvailable = (value: unknown) => boolean;

const AVAILABLE: Readonly<Record<string, IsAvailable>> = {
  output_format: (value) => value !== "markdown",
};
const FIELDS = Object.entries(AVAILABLE);

/** What of `input`, a spec as it was sent, is not available yet. */
export function notAvailableYet(
  input: Readonly<Record<string, unknown>>,
): readonly { readonly pointer: string; readonly message: string }[] {
  const found: { pointer: string; message: string }[] = [];
  for (const [field, isAvailable] of FIELDS) {
    const value = input[field];
    if (value === undefined || isAvailable(value)) continue;
    const what = field === "output_format" ? '"markdown"' : field;
    found.push({ pointer: `/${field}`, message: `${what} is not available yet` });
  }
  return found;
}
