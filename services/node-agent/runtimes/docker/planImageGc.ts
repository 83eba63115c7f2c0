/** Which images a node removes to make room. Pure: what is known of each, and out come those to go, in order. */

export interface KnownImage {
  readonly id: string;
  /** Every name and digest that it has. */
  readonly names: readonly string[];
  /** When an attempt last asked for it, milliseconds since 1970; null for what this node did not pull. */
  readonly usedAt: number | null;
  /** Some registry has it: one that was imported would be lost. */
  readonly pullable: boolean;
  /** It has a name as well that somebody else gave it. */
  readonly named: boolean;
  /** Any container is of it, running or not, whoever made it. */
  readonly inUse: boolean;
}

export interface ImagePolicy {
  /** Null: age alone is no reason. */
  readonly maxAgeMs: number | null;
  /** Null: room is no reason. */
  readonly highPercent: number | null;
  readonly lowPercent: number;
}

export interface ImageRemoval {
  readonly image: KnownImage;
  /** `disk`: only while the disk is above the low mark. */
  readonly why: "age" | "disk";
}

/**
 * The too old first, then, from the high mark on, all others from the least recently used: whoever removes them looks at the
 * disk between any two.
 * @param usedPercent of the engine's disk; null when that is not known
 */
export function planImageGc(
  images: readonly KnownImage[],
  of: { readonly nowMs: number; readonly usedPercent: number | null; readonly policy: ImagePolicy },
): ImageRemoval[] {
  const { maxAgeMs, highPercent } = of.policy;
  const mayGo = images
    .flatMap((image) => (image.usedAt === null ? [] : [{ image, usedAt: image.usedAt }]))
    .filter(({ image }) => image.pullable && !image.named && !image.inUse)
    .sort((a, b) => a.usedAt - b.usedAt);
  const full = highPercent !== null && of.usedPercent !== null && of.usedPercent >= highPercent;
  return mayGo.flatMap(({ image, usedAt }): ImageRemoval[] => {
    if (maxAgeMs !== null && of.nowMs - usedAt > maxAgeMs) return [{ image, why: "age" }];
    return full ? [{ image, why: "disk" }] : [];
  });
}
