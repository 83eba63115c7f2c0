/** Versions of runc from which a container is known to get out. Pure. */

export interface Flaw {
  readonly name: string;
  readonly how: string;
  /** First version of each line (major.minor) that has the fix; older lines never got it. */
  readonly fixedIn: readonly string[];
  /** Packages of distributions that have the fix under an older number. */
  readonly backportedIn: readonly string[];
}

export const runcFlaws: readonly Flaw[] = [
  {
    name: "CVE-2024-21626",
    how: "a working directory below /proc/self/fd",
    fixedIn: ["1.1.12"],
    backportedIn: ["1.1.5+ds1-1+deb12u1"],
  },
  {
    name: "CVE-2025-31133, CVE-2025-52565 and CVE-2025-52881",
    how: "races on masked paths, /dev/console and procfs writes",
    fixedIn: ["1.2.8", "1.3.3"],
    backportedIn: [],
  },
];

/**
 * The flaws that this runc may have.
 * @param version as runc says it, such as `1.1.5+ds1`
 * @param build its package or commit, such as `1.1.5+ds1-1+deb12u1`; "" where nobody says it
 */
export function flawsOf(version: string, build: string): readonly Flaw[] {
  return runcFlaws.filter(
    ({ fixedIn, backportedIn }) => !hasFix(version, fixedIn) && !backportedIn.includes(build),
  );
}

/** True for a number that a distribution gave: the fix may be in it all the same. */
export function isPackaged(version: string, build: string): boolean {
  return /[+~-](ds|deb|ubuntu|dfsg|\d+ubuntu)|\.(el|fc|amzn|suse)\d*|lp\d/i.test(`${version} ${build}`);
}

function hasFix(version: string, fixedIn: readonly string[]): boolean {
  const own = numbers(version);
  const sameLine = fixedIn.find((fixed) => compare(numbers(fixed).slice(0, 2), own.slice(0, 2)) === 0);
  if (sameLine !== undefined) return compare(own, numbers(sameLine)) >= 0;
  return compare(own, numbers(fixedIn.at(-1)!)) > 0;
}

function numbers(version: string): number[] {
  return (/^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = b.findIndex((number, index) => (a[index] ?? 0) !== number);
  return at < 0 ? 0 : (a[at] ?? 0) - b[at]!;
}
