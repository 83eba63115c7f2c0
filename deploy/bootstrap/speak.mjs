/** What the bootstrap says: one line for each thing it does and why; one sentence for each thing it cannot do. */

/** A failure that is explained in full by its message: no stack trace. */
export class BootstrapError extends Error {}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Ends the process with the message of what went wrong.
 * @param {unknown} error
 * @returns {never}
 */
export function fail(error) {
  const text =
    error instanceof BootstrapError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
