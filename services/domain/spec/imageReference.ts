/**
 * The strict reading of an image reference, `[registry[:port]/]path[:tag][@sha256:…]`, after the grammar of
 * distribution/reference. What passes cannot be an option of a command line, holds no space and no control
 * character, and is not an image id: an id names bytes of one engine, not an image that a replay can find.
 */
import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { imageCharsMax } from "./limits.ts";

export interface ImageReference {
  /** `host` or `host:port`; null when the reference names none. */
  readonly registry: string | null;
  readonly repository: string;
  /** `latest` when neither tag nor digest is given; null when a digest alone is. */
  readonly tag: string | null;
  /** `sha256:<64 hex digits>` */
  readonly digest: string | null;
  /** All parts again, the default tag included. */
  readonly canonical: string;
}

const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const PORT = /^[1-9]\d{0,4}$/;
const PATH_COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
/** `user:password@host/…`, with or without a scheme before it: an at sign before the last slash. */
const CREDENTIALS = /@[^@]*\//;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const HEX_64 = /^[0-9a-f]{64}$/;
/** Of registry and path together, as registries enforce it. */
const NAME_CHARS_MAX = 255;

/** An image reference with the default tag written out, so that two spellings of one are the same text. */
export function withTag(reference: string): string {
  const parsed = parseImageReference(reference);
  return isRefusal(parsed) ? reference : parsed.canonical;
}

/** @returns the parts, or a refusal `IMAGE_REFERENCE_INVALID` that says which part is wrong */
export function parseImageReference(text: string): ImageReference | Refusal {
  if (text === "") return invalid("it is empty");
  if (text.length > imageCharsMax) return invalid(`it has more than ${imageCharsMax} characters`);
  if (text.startsWith("-")) return invalid("it begins with a dash, like an option");
  if (/\s/.test(text)) return invalid("it holds white space");
  if (CREDENTIALS.test(text)) return credentials();
  const [named, digest, extra] = text.split("@");
  if (named === undefined || extra !== undefined) return invalid("it holds more than one @");
  if (digest !== undefined && !DIGEST.test(digest)) {
    return invalid("its digest is not sha256: and 64 lower-case hexadecimal digits");
  }
  return namedReference(named, digest ?? null);
}

function namedReference(named: string, digest: string | null): ImageReference | Refusal {
  const { registry, rest } = splitRegistry(named);
  const colon = rest.indexOf(":");
  const repository = colon < 0 ? rest : rest.slice(0, colon);
  const givenTag = colon < 0 ? null : rest.slice(colon + 1);
  if (registry !== null && !isRegistry(registry)) return invalid("its registry is not host or host:port");
  const wrong = wrongRepository(repository, registry);
  if (wrong !== null) return invalid(wrong);
  if (givenTag !== null && !TAG.test(givenTag)) {
    return invalid("its tag is not 1 to 128 letters, digits, '_', '.' or '-', beginning with no '.' or '-'");
  }
  const tag = givenTag ?? (digest === null ? "latest" : null);
  const canonical = `${registry === null ? "" : `${registry}/`}${repository}${tag === null ? "" : `:${tag}`}${
    digest === null ? "" : `@${digest}`
  }`;
  return { registry, repository, tag, digest, canonical };
}

/** The first component is a registry when it could not be a path: it has a dot, a port or a capital, or is localhost. */
function splitRegistry(named: string): { registry: string | null; rest: string } {
  const slash = named.indexOf("/");
  if (slash < 0) return { registry: null, rest: named };
  const first = named.slice(0, slash);
  const isHost = /[.:A-Z]/.test(first) || first === "localhost";
  return isHost ? { registry: first, rest: named.slice(slash + 1) } : { registry: null, rest: named };
}

function isRegistry(registry: string): boolean {
  const colon = registry.lastIndexOf(":");
  const host = colon < 0 ? registry : registry.slice(0, colon);
  if (colon >= 0) {
    const port = registry.slice(colon + 1);
    if (!PORT.test(port) || Number(port) > 65_535) return false;
  }
  return HOST.test(host) && host.length <= 253;
}

function wrongRepository(repository: string, registry: string | null): string | null {
  if ((registry?.length ?? 0) + repository.length + 1 > NAME_CHARS_MAX) {
    return `its name has more than ${NAME_CHARS_MAX} characters`;
  }
  if (!repository.split("/").every((part) => PATH_COMPONENT.test(part))) {
    return "its name is not lower-case letters and digits, parted by '/', '.', '_' or '-'";
  }
  if (registry === null && (HEX_64.test(repository) || repository === "sha256")) {
    return "it is an image id; name the image by repository and tag or digest";
  }
  return null;
}

/** Its text is not repeated: it holds a secret. */
function credentials(): Refusal {
  return refuse(
    "IMAGE_REFERENCE_INVALID",
    "The image reference is invalid: it holds credentials, and a spec stays in the record.",
    {
      hint: "Leave them out, and name in `connections` one that has them (`cazi connection set NAME --registry HOST`).",
    },
  );
}

function invalid(why: string): Refusal {
  return refuse("IMAGE_REFERENCE_INVALID", `The image reference is invalid: ${why}.`, {
    hint: "Write [registry[:port]/]path[:tag][@sha256:…], for example alpine:3.20.",
  });
}
