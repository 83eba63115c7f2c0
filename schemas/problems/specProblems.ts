/** What can be wrong with a spec: 400 where it cannot be read, 422 where it was read and is not accepted. */
import type { ProblemList } from "./problemEntry.ts";

export const specProblems = {
  SPEC_SYNTAX: {
    status: 400,
    means: "The spec is not JSON or YAML that can be read.",
    todo: "Correct the place that the sentence names, and send UTF-8 text with the Content-Type that it is.",
  },
  SPEC_DUPLICATE_KEY: {
    status: 400,
    means: "The spec has the same key twice in one place, so that one of the two would be lost silently.",
    todo: "Keep one of them.",
  },
  SPEC_ALIAS: {
    status: 400,
    means: "The spec uses YAML's aliases or merge keys, which can make a small text grow without bound.",
    todo: "Write the values out.",
  },
  SPEC_MULTIPLE_DOCUMENTS: {
    status: 400,
    means: "The text holds several YAML documents.",
    todo: "Submit each of them on its own.",
  },
  SPEC_NUMBER: {
    status: 400,
    means: "A number of the spec is not finite, or has more digits than are kept exactly.",
    todo: "Use a number that is exact as a double, or a text.",
  },
  SPEC_TOO_LARGE: {
    status: 413,
    means: "The spec is larger than what is recorded.",
    todo: "Put scripts and data into the image, or where the task reads them from.",
  },
  SPEC_TOO_DEEP: {
    status: 422,
    means: "The spec is nested too deeply.",
    todo: "Correct it: no field of a spec needs such a depth.",
  },
  SINK_TARGET_NOT_ALLOWED: {
    status: 422,
    means: "An output sink names an address that requests of this tenant may not go to.",
    todo: "Use https and a public host; an operator allows a private one with CAZI_SINK_ALLOW_PRIVATE.",
  },
  SINK_FILES_OFF: {
    status: 422,
    means: "An output sink is of type file, and this server has no folder for them.",
    todo: "Ask an operator to set CAZI_SINK_FILES, for the API and for the sinks role, or use another sink.",
  },
  SINK_CHAIN_TOO_LONG: {
    status: 422,
    means:
      "More tasks would follow one another, each the task sink of the one before, than a chain may have.",
    todo: "Cut the chain: submit its later part when the earlier one has ended.",
  },
  SPEC_INVALID: {
    status: 422,
    means: "The spec was read, and some of its fields are unknown or have wrong values.",
    todo: "Correct each place that `errors` names.",
  },
  TEMPLATE_WITHOUT_TARGET: {
    status: 422,
    means: "A template has no placeholder, so its target would be used nowhere.",
    todo: "Write the whole word TARGET where the target belongs, or give the spec as spec instead of template.",
  },
  STDIN_WITHOUT_PREVIOUS: {
    status: 422,
    means: "The spec reads the output of the task before it (`stdin_from_prev`), and there is none.",
    todo: "Submit it as the spec of a task sink (`output_sinks`) of the task whose output it reads, or leave the field out.",
  },
  MOUNT_NOT_ALLOWED: {
    status: 422,
    means: "No node allows a mount that the spec asks for.",
    todo: "Use a path that `cazi nodes -o json` lists under `mounts`, or have the node's CAZI_NODE_MOUNTS extended.",
  },
  JSON_NOT_CANONICAL: {
    status: 422,
    means: "The spec holds a value that has no canonical form (RFC 8785), so no digest could be made of it.",
    todo: "Correct the place that the sentence names: it is a number that is not finite, or broken Unicode.",
  },
  MEMORY_SIZE_INVALID: {
    status: 422,
    means: "A memory size cannot be read.",
    todo: "Write a number of bytes, or one with a unit, such as `512MiB`.",
  },
  IMAGE_REFERENCE_INVALID: {
    status: 422,
    means: "The name of the image cannot be one.",
    todo: "Write it as `[registry/]name[:tag][@sha256:digest]`, in lower case.",
  },
} as const satisfies ProblemList;
