const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Why a number's text is not what it looks like, or null. `0777` is octal to some readers and 777 to others,
 * 2^53 + 1 loses its last digit, `1e999` and `.inf` are no numbers that JSON knows.
 */
export function wrongNumber(text: string, value: number): string | null {
  const shown = text.slice(0, 40);
  if (!Number.isFinite(value)) return `${shown} is not a finite number`;
  if (!JSON_NUMBER.test(text))
    return `${shown} is not a plain decimal number; where it is text, write it in quotes`;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return `${shown} is too large to be exact`;
  return null;
}
