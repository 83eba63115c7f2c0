/**
 * What a failed pull's message means for the next try. Engines tell it in prose only (20.10 answers 500 for nearly
 * everything), so this reads the registry's own words in it. Pure.
 */

/**
 * `denied`, `missing`, `unusable`: trying again cannot change it. `throttled`: the registry asks for patience.
 * `unknown_host`: no such name; a few tries, for a name server that has just come up. `failed`: anything else.
 */
export type PullFailure = "denied" | "missing" | "unusable" | "throttled" | "unknown_host" | "failed";

/** In this order: a refusal of Docker Hub says both "access denied" and "does not exist". */
const WORDS: readonly (readonly [PullFailure, RegExp])[] = [
  ["throttled", /toomanyrequests|too many requests|rate limit|\bHTTP 429\b|: 429\b/i],
  ["unknown_host", /\bno such host\b/i],
  // The network's own failures may hold any word in a host's name.
  ["failed", /\bdial (?:tcp|unix)\b|\bi\/o timeout\b|\bconnection (?:refused|reset)\b/i],
  [
    "denied",
    /\bdenied\b|unauthorized|authentication required|no basic auth credentials|\b40[13] (?:Forbidden|Unauthorized)/i,
  ],
  [
    "unusable",
    /no matching manifest|unsupported (?:media type|schema|manifest)|invalid reference|not a valid repository/i,
  ],
  ["missing", /manifest unknown|name unknown|not found|does not exist|not known to registry|\bHTTP 404\b/i],
];

/**
 * @param message the engine's sentence
 * @param status HTTP status of the engine's answer; null when the pull had begun
 */
export function pullFailureOf(message: string, status: number | null): PullFailure {
  const told = WORDS.find(([, words]) => words.test(message))?.[0];
  if (told !== undefined) return told;
  if (status === 404) return "missing";
  return status === 400 ? "unusable" : "failed";
}

/** What to do about it, after the sentence that says what happened. */
export function adviceFor(failure: PullFailure, withCredentials: boolean): string {
  switch (failure) {
    case "denied":
      return withCredentials
        ? "The registry does not give it to the connection's user: check its name, and the username and password stored (`cazi connection set`)"
        : `The image is private, or its name is wrong. Name a connection that has credentials for its registry (\`cazi connection set NAME --registry HOST\`), or ${LOAD_IT}`;
    case "missing":
      return `Check its name and tag, or ${LOAD_IT}`;
    case "unusable":
      return `Use an image made for this node's engine and platform, or ${LOAD_IT}`;
    case "throttled":
      return `Wait until the registry's limit ends, or ${LOAD_IT}`;
    default:
      return `Check that the name is right and the node reaches the registry; with no registry, ${LOAD_IT}`;
  }
}

const LOAD_IT = "load the image on the node (docker load, docker import) and it is used without a pull";
