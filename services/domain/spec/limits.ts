/**
 * Every bound on a spec, once. Names end in their unit. A bound on a count keeps the cost of reading a hostile
 * spec low; a bound on a size keeps the stored event far below the message limit of the ledger.
 */

const KiB = 1024;
const MiB = 1024 * KiB;
const GiB = 1024 * MiB;
const DAY_SECONDS = 86_400;

/** Of the text as it is sent, and of the canonical JSON as it is stored. */
export const specBytesMax = 256 * KiB;
/** Characters of all strings and keys of an input that did not come through a text: cheap to count, checked first. */
export const specInputCharsMax = 4 * specBytesMax;
/** Values in an input, at any depth. */
export const specNodesMax = 10_000;
/** Collections within each other. A real spec has four, and three more for each task of a chain of eight after it. */
export const specDepthMax = 32;
/**
 * Tokens of a YAML text; a block of text is one. The parser takes 2 s for 256 KiB of small tokens, and up to
 * 0.1 s for as many as these; a spec that uses its largest counts has some 8,000.
 */
export const yamlLexemesMax = 10_000;
/** Open nodes of the YAML parser: the document and a scalar stand there beside the collections. */
export const yamlStackMax = specDepthMax + 4;
/** Problems reported of one spec; the rest is counted. */
export const detailsMax = 50;

export const imageCharsMax = 512;
export const argumentsMax = 1024;
/** The kernel's MAX_ARG_STRLEN, its final NUL taken off: a longer argument fails in exec, after the pull. */
export const argumentBytesMax = 128 * KiB - 1;
export const environmentNamesMax = 1024;
export const environmentNameCharsMax = 256;
/** Names and values together. */
export const environmentBytesMax = 64 * KiB;
export const pathCharsMax = 1024;
export const userCharsMax = 64;
export const scriptCharsMax = 128 * KiB;
/** Of modules, and of files. */
export const scriptFilesMax = 64;
export const scriptPathCharsMax = 255;
export const scriptToolsMax = 32;
/** Of a project; each at most as long as a script, and all together what a spec has room for. */
export const projectFilesMax = 256;

export const timeoutSecondsDefault = 3600;
export const timeoutSecondsMax = 7 * DAY_SECONDS;
export const startWithinSecondsMax = 365 * DAY_SECONDS;
export const ttlSecondsMax = 3650 * DAY_SECONDS;
export const artifactTtlSecondsDefault = 7 * DAY_SECONDS;
export const retriesMax = 20;
export const priorityMax = 100;
export const concurrencyKeyCharsMax = 128;
export const concurrencyMax = 10_000;

export const cpusDefault = 1;
/** The engine's own floor. */
export const cpusMin = 0.01;
export const cpusMax = 1024;
export const memoryDefault = "512Mi";
/** The engine refuses less than 6 MiB. */
export const memoryBytesMin = 6 * MiB;
export const memoryBytesMax = 16 * 1024 * GiB;
export const pidsDefault = 256;
export const pidsMax = 65_536;
export const tmpfsDefault = "64Mi";
export const tmpfsBytesMin = 64 * KiB;
export const tmpfsBytesMax = 1024 * GiB;
export const outputBytesDefault = 16 * MiB;
export const outputBytesMax = GiB;

export const labelsMax = 64;
export const labelNameCharsMax = 63;
export const labelValueCharsMax = 256;
export const tagsMax = 32;
export const tagCharsMax = 63;
export const networkCharsMax = 63;
export const mountsMax = 32;
export const sinksMax = 16;
export const urlCharsMax = 2048;
/** Filled in, it is at most some 900: S3 takes 1024 bytes. */
export const sinkKeyCharsMax = 256;
export const sinkFileCharsMax = 64;
/** Of a template; a host, an address or a path. */
export const targetCharsMax = 1024;
export const connectionsMax = 16;

export const nameCharsMax = 128;
export const rationaleBytesMax = 8 * KiB;

function relation(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`limits of the spec contradict each other: ${rule}`);
}

relation(
  environmentBytesMax + rationaleBytesMax + argumentBytesMax < specBytesMax,
  "a spec that uses its largest fields fits into a spec",
);
relation(scriptCharsMax < specBytesMax, "a script fits into a spec");
relation(
  3 * (argumentsMax + environmentNamesMax) < specNodesMax,
  "a spec that uses its counts stays below the node limit",
);
relation(specNodesMax <= yamlLexemesMax, "a YAML text has at least as many tokens as values");
// The parser's stack of calls runs out at some 600 levels; an order of magnitude is kept.
relation(yamlStackMax < 60, "YAML is refused long before the parser's stack is in danger");
relation(timeoutSecondsDefault <= timeoutSecondsMax, "the default timeout is allowed");
relation(artifactTtlSecondsDefault <= ttlSecondsMax, "the default life of artifacts is allowed");
relation(outputBytesDefault <= outputBytesMax, "the default output cap is allowed");
relation(cpusMin <= cpusDefault && cpusDefault <= cpusMax, "the default share of CPUs is allowed");
relation(memoryBytesMin < memoryBytesMax && tmpfsBytesMin < tmpfsBytesMax, "sizes are ranges");
relation(memoryBytesMax <= Number.MAX_SAFE_INTEGER, "sizes are exact numbers");
