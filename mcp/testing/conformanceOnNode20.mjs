/**
 * Lets the conformance suite run on Node 20: it imports `globSync`, which Node has since 22 and only the suite's
 * assessment of SDK repositories uses. Given to its process with `--import`.
 */
import { register } from "node:module";

const fsWithGlob = `
  export * from "node:fs";
  export { default } from "node:fs";
  export function globSync() { throw new Error("not on this Node"); }
`;
const hooks = `
  const shim = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(fsWithGlob)}`)};
  export function resolve(name, context, next) {
    const ofSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/");
    return name === "fs" && ofSuite ? { url: shim, shortCircuit: true } : next(name, context);
  }
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
