import { BootstrapError } from "./speak.mjs";

const majorMin = 20;

/** @param {string} version as in `process.versions.node` */
export function requireNode(version) {
  if (Number(version.split(".")[0]) >= majorMin) return;
  throw new BootstrapError(
    `Cazi needs Node ${majorMin} or newer, and this is ${version}: install it from https://nodejs.org or with your version manager.`,
  );
}
