/** Of the endings that reports have; everything else is bytes. */
const BY_ENDING: Readonly<Record<string, string>> = {
  txt: "text/plain",
  log: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  html: "text/html",
  xml: "application/xml",
  json: "application/json",
  ndjson: "application/x-ndjson",
  jsonl: "application/x-ndjson",
  yaml: "application/yaml",
  yml: "application/yaml",
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  svg: "image/svg+xml",
  webp: "image/webp",
  gz: "application/gzip",
  tar: "application/x-tar",
  zip: "application/zip",
};

/** Sent by wget and curl for whatever they are given, so it says nothing. */
const SAYS_NOTHING = "application/x-www-form-urlencoded";

/**
 * The media type that a file is served with: what its sender said, or by the ending of its name. It is told, never
 * acted on: every file is served as a download that runs nothing. Pure.
 */
export function mediaTypeOf(contentType: string | undefined, name: string): string {
  const said = contentType?.trim().toLowerCase() ?? "";
  const plain = /^[a-z0-9][\w.+-]{0,60}\/[\w.+-]{1,80}(?:\s*;\s*charset="?[\w-]{1,40}"?)?$/.test(said);
  if (plain && !said.startsWith(SAYS_NOTHING)) return said;
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending]! : "application/octet-stream";
}
