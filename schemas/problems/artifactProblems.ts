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
  ARTIFACT_TOO_LARGE: {
    status: 413,
    means: "The file is larger than a published file may be.",
    todo: "Publish less, or in parts. For operators: CAZI_ARTIFACT_FILE_BYTES_MAX.",
  },
  ARTIFACT_NAME_INVALID: {
    status: 422,
    means: "The name of the file is not a relative path of plain parts.",
    todo: "Use a name such as report.csv or out/report.csv: no `..`, no backslash, no control character, at most 512 bytes.",
  },
  ARTIFACT_INCOMPLETE: {
    status: 400,
    means: "The file did not come whole: its sender broke off, or sent too slowly.",
    todo: "Send it again. What had come is not kept.",
  },
  ARTIFACT_BUSY: {
    status: 503,
    means: "Too many files come at once.",
    todo: "Send the file again in a moment.",
  },
  ARTIFACT_STORE_FULL: {
    status: 507,
    means: "There is no room for another file. Tasks go on and end as ever.",
    todo: "For operators: shorten `artifact_ttl_seconds`, or give the bucket `artifacts` more room.",
  },
  ARTIFACT_STORE_UNAVAILABLE: {
    status: 503,
    means: "The store of published files did not answer in time.",
    todo: "Send the request again.",
  },
  ARTIFACT_NOT_FOUND: {
    status: 404,
    means: "The task has published no file of this name.",
    todo: "`cazi artifacts ID` lists the files that there are.",
  },
  ARTIFACT_EXPIRED: {
    status: 410,
    means: "The file was published, and its time is over.",
    todo: "Run the task again, with a larger `artifact_ttl_seconds` where it must be there for longer.",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    means: "The part of the file that was asked for lies beyond its end.",
    todo: "Ask for a part within the size that Content-Range gives, or for the whole.",
  },
  FILE_EXISTS: {
    status: 409,
    means: "There is a file already where one was to be written.",
    todo: "Write it elsewhere, or overwrite it with `--force` where the command has that.",
  },
  STDIN_NOT_WANTED: {
    status: 409,
    means: "The output of the task before is given only to a task whose spec says `stdin_from_prev: true`.",
    todo: "Say so in the spec of the task sink.",
  },
  STDIN_GONE: {
    status: 410,
    means: "The task before this one has been erased, and its output with it.",
    todo: "Run the task before once more. A longer `ttl_seconds` there keeps its output until the one after it has read it.",
  },
  STDIN_UNAVAILABLE: {
    status: 503,
    means:
      "A node could not fetch the output of the task before: it is not all there yet, or the place is out of reach.",
    todo: "Nothing: it is tried again until the start limit. If it stays, see that nodes reach CAZI_ARTIFACT_URL.",
  },
} as const satisfies ProblemList;
