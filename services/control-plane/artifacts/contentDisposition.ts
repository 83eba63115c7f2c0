/**
 * `Content-Disposition` of a download under its own file name, without its folders (RFC 6266): in ASCII for those
 * who read nothing else, and whole in UTF-8 (RFC 8187). Pure.
 * @param name of an artifact
 */
export function contentDisposition(name: string): string {
  const file = name.slice(name.lastIndexOf("/") + 1);
  const ascii = file.replace(/[^\x20-\x7e]/gu, "_").replace(/["\\%]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extValue(file)}`;
}

/** What may stand bare in an extended value is less than what the language's own encoding leaves bare. */
function extValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
