import { type Refusal, refuse } from "../refusal.ts";

const NAME_BYTES_MAX = 512;
const PART_BYTES_MAX = 255;
const DEPTH_MAX = 16;

/** Control characters, and those that turn the direction of text around: a name must look like what it is. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** A drive of Windows leads elsewhere wherever it stands: whoever keeps only the last part would open it. */
const DRIVE = /(?:^|\/)[A-Za-z]:/;
/** With any ending they are devices on Windows, in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/**
 * A name that an artifact may have: a relative path of plain parts, the same text on every machine, that can never
 * lead out of the folder it is put into. Unicode is in composed form (NFC): two spellings of one name are one.
 * @returns the name, or a refusal `ARTIFACT_NAME_INVALID` that says what is wrong with it
 */
export function artifactName(text: string): string | Refusal {
  const why = whyNot(text);
  if (why === null) return text.normalize("NFC");
  return refuse("ARTIFACT_NAME_INVALID", `${JSON.stringify(text.slice(0, 100))} is not a name: ${why}`);
}

function whyNot(text: string): string | null {
  if (text === "") return "it is empty";
  if (/\p{Surrogate}/u.test(text)) return "it is not Unicode text";
  if (FORBIDDEN.test(text)) return "it has a control character";
  if (text.includes("\\")) return "it has a backslash";
  if (text.startsWith("/") || DRIVE.test(text)) return "it is not relative";
  if (Buffer.byteLength(text.normalize("NFC")) > NAME_BYTES_MAX)
    return `it is longer than ${NAME_BYTES_MAX} bytes`;
  const parts = text.split("/");
  if (parts.length > DEPTH_MAX) return `it is deeper than ${DEPTH_MAX} folders`;
  for (const part of parts) {
    if (part === "") return "one of its parts is empty";
    if (part === "." || part === "..") return `one of its parts is "${part}"`;
    if (DEVICE.test(part)) return `one of its parts, "${part}", is a device on Windows`;
    if (Buffer.byteLength(part) > PART_BYTES_MAX)
      return `one of its parts is longer than ${PART_BYTES_MAX} bytes`;
  }
  return null;
}
