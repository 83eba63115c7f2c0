/** Bounds of calls of a model, with the reason for each. */
const KiB = 1024;

/** Of model and input, as JSON: a program's arguments have 64 KiB unless its budgets say more. */
export const questionBytesMax = 1024 * KiB;
export const modelNameCharsMax = 256;
/** Of an answer: what a program can be given of it is text, and 64 KiB unless its budgets say more. */
export const answerBytesMax = 4 * 1024 * KiB;
/** A model that thinks takes minutes; the call has its task's time as well. */
export const modelAnswerMs = 300_000;
/** Numbers of calls beyond any setting are no numbers. */
export const callNumberMax = 9_999;
