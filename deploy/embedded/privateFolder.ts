import { lstatSync, mkdirSync } from "node:fs";
import { userInfo } from "node:os";

/**
 * Makes a folder with mode 0700, or checks the one that is there.
 * @throws Error when it is not this user's own: in a shared place another user could have made it first
 */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  if (!stat.isDirectory() || stat.uid !== userInfo().uid || (stat.mode & 0o077) !== 0) {
    throw new Error(`${path} must be a folder of this user with mode 0700; remove it`);
  }
}
