/** Ends a switch over a union: a member that is not handled is a compile error, and loud at run time. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
