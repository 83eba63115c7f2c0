/** A disk of a test's own that is small enough to be filled. Needs root. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk {
  readonly path: string;
  /** Takes all room that is left. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  remove(): void;
}

const MIB = 1024 ** 2;

export function smallDisk(sizeMib: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "cazi-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMib}m`, "tmpfs", path]);
  const fillers = [join(path, "filler"), join(path, "last")] as const;
  return {
    path,
    fill: () => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(fillers[0], Buffer.alloc(Math.max(0, bavail * bsize - MIB)));
      try {
        writeFileSync(fillers[1], Buffer.alloc(2 * MIB));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    free: () => {
      for (const filler of fillers) rmSync(filler, { force: true });
    },
    remove: () => {
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
