/** The canonical JSON of a spec that wants it holds this, and that of another does not: text in it has its quotes escaped. */
const WANTS = '"stdin_from_prev":true';

/** Whether a recorded spec asks for the output of the task before. Nearly none does, so its text is not parsed. */
export function wantsStdin(spec: string): boolean {
  return spec.includes(WANTS) && (JSON.parse(spec) as { stdin_from_prev?: unknown }).stdin_from_prev === true;
}
