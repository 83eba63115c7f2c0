/** What can stand against a file that a container publishes, or one that is asked for. */
import type { ProblemList } from "./problemEntry.ts";

export const artifactProblems = {
  ARTIFACT_EXISTS: {
    status: 409,
    means: "The attempt has published another file of this name. A name is written once in an attempt.",
    todo: "Publish under another name, or only when the file is finished.",
  },
  ARTIFACT_LIMIT: {
    status: 413,
    means: "The task has published as many files, or as many bytes, as a task may.",
    todo: "Publish fewer, such as one archive. For operators: CAZI_ARTIFACT_FILES_MAX, CAZI_ARTIFACT_BYTES_MAX.",
  },
} as const satisfies ProblemList;
