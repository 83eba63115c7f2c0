/** Where a path really leads, through every link, whether the last of it exists or not. */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** As Linux has it for one path. */
const LINKS_MAX = 40;

/**
 * What does not exist yet is below its nearest parent that does, and a link that leads nowhere is where it leads: a file that
 * is opened there is made there. Null where links go in a circle or a folder may not be looked into.
 */
export function realPlace(path: string, linksMax = LINKS_MAX): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== "ENOENT" && code !== "ENOTDIR") || linksMax === 0) return null;
  }
  const parent = realPlace(dirname(resolve(path)), linksMax - 1);
  if (parent === null) return null;
  const place = join(parent, basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? realPlace(resolve(parent, readlinkSync(place)), linksMax - 1) : place;
}

/** Whether a path really lies in a folder, or is it. */
export function liesIn(folder: string, path: string): boolean {
  const [root, place] = [realPlace(folder), realPlace(path)];
  if (root === null || place === null) return false;
  const way = relative(root, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
