import { integer, setting, text } from "./setting.ts";

const MiB = 1024 * 1024;

/** Where containers publish files, and how much: of the control plane, but for the folder, which is a node's. */
export const artifactSettings = {
  artifactListen: setting(
    "CAZI_ARTIFACT_LISTEN",
    "auto",
    text,
    "address:port where containers publish files; auto: with `cazi up` the gateway of the Docker bridge and a free port, else off; off: nowhere",
  ),
  artifactUrl: setting(
    "CAZI_ARTIFACT_URL",
    "",
    text,
    "the same as containers and nodes reach it, where that is not http:// and that address",
  ),
  artifactFileBytesMax: setting(
    "CAZI_ARTIFACT_FILE_BYTES_MAX",
    256 * MiB,
    integer(1, 1e13),
    "bytes of one published file",
  ),
  artifactFilesMax: setting(
    "CAZI_ARTIFACT_FILES_MAX",
    100,
    integer(1, 1_000),
    "files that one attempt of a task may publish, and that a task may have hosted",
  ),
  artifactBytesMax: setting(
    "CAZI_ARTIFACT_BYTES_MAX",
    1024 * MiB,
    integer(1, 1e13),
    "bytes of a task's hosted files together",
  ),
  artifactFolderBytesMax: setting(
    "CAZI_ARTIFACT_FOLDER_BYTES_MAX",
    4096 * MiB,
    integer(1, 1e15),
    "of a node: bytes that a container's /artifacts may hold while it runs; beyond it is ended",
  ),
};
