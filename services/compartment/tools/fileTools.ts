/** `readFile` and `listFiles` serve from the snapshot; `writeArtifact` creates new files under one folder. */
import { closeSync, constants, mkdirSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { byteLength, type JsonObject } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import type { NamedPath } from "../policy/agentConfig.ts";
import type { ReadSnapshot } from "./readSnapshot.ts";
import { checkMembers, type Tool, ToolFailure } from "./tool.ts";

export function readFile(files: ReadSnapshot): Tool {
  return {
    name: "readFile",
    mode: "sync",
    repeatable: true,
    check: (args) => checkMembers(args, { path: "string" }),
    admit: (args) => (files.has(normal(args.path as string)) ? null : "fs_read_path_not_admitted"),
    run({ args }) {
      const file = files.get(normal(args.path as string))!;
      if (file.content === null)
        throw new ToolFailure(file.reason!.toUpperCase(), `the file is not readable: ${file.reason}`);
      return { path: file.path, content: file.content, bytes: file.bytes };
    },
  };
}

export function listFiles(files: ReadSnapshot): Tool {
  const under = (folder: string, path: string) =>
    folder === "." || path === folder || path.startsWith(`${folder}/`);
  return {
    name: "listFiles",
    mode: "sync",
    repeatable: true,
    check: (args) => checkMembers(args, { path: "string?" }),
    admit(args) {
      if (args.path === undefined) return null;
      const folder = normal(args.path as string);
      return [...files.keys()].some((path) => under(folder, path)) ? null : "fs_read_path_not_admitted";
    },
    run({ args }) {
      const folder = args.path === undefined ? null : normal(args.path as string);
      const listed = [...files.values()].filter(({ path }) => folder === null || under(folder, path));
      return { files: listed.map(({ path, bytes, kind }) => ({ path, bytes, readable: kind === "text" })) };
    },
  };
}

function normal(path: string): string {
  const normalized = posix.normalize(path);
  return normalized.length > 1 ? normalized.replace(/\/$/, "") : normalized;
}

export interface ArtifactWriter {
  readonly tool: Tool;
  /** What was created, for the manifest at the run's end. */
  readonly written: readonly JsonObject[];
}

/** @param root null when no folder was granted: every call is denied with its reason */
export function writeArtifact(root: NamedPath | null, bytesMax: number): ArtifactWriter {
  const written: JsonObject[] = [];
  const tool: Tool = {
    name: "writeArtifact",
    mode: "sync",
    repeatable: false,
    check: (args) => checkMembers(args, { path: "string", content: "string" }),
    admit(args) {
      if (root === null) return "artifact_root_not_configured";
      const path = args.path as string;
      if (!isInside(path)) return "artifact_path_not_admitted";
      return written.some((one) => one.path === normal(path)) ? "artifact_overwrite_denied" : null;
    },
    run({ args, record }) {
      const path = normal(args.path as string);
      const content = Buffer.from(args.content as string, "utf8");
      if (content.length > bytesMax) {
        record("budget_exceeded", {
          budget: "artifact_bytes",
          limit: bytesMax,
          attempted: content.length,
          tool: "writeArtifact",
        });
        throw new ToolFailure("BUDGET_EXCEEDED", "the artifact is larger than its budget");
      }
      createFile(root!.path, path, content);
      const artifact = { path, bytes: byteLength(args.content as string), hash: `sha256:${sha256(content)}` };
      written.push(artifact);
      return artifact;
    },
  };
  return { tool, written };
}

function isInside(path: string): boolean {
  const parts = path.split("/");
  return (
    path !== "" &&
    !path.includes("\0") &&
    !path.includes("\\") &&
    parts.every((part) => part !== ".." && part !== "" && part !== ".")
  );
}

/** The folders above a relative path, outermost first. */
function ancestors(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/**
 * Creates the file or fails; never follows a link out of the root, never replaces what is there. In one breath: a
 * write that the tool's time limit could overtake left a file on a slow disk that neither log nor manifest named.
 */
function createFile(root: string, path: string, content: Uint8Array): void {
  try {
    const target = join(root, path);
    mkdirSync(root, { recursive: true });
    const realRoot = realpathSync(root);
    // Looked at before folders are made: making them would already follow a link.
    for (const part of ancestors(path)) {
      const folder = join(realRoot, part);
      mkdirSync(folder, { recursive: true });
      if (realpathSync(folder) !== folder) {
        throw new ToolFailure("ARTIFACT_PATH", "a folder on the artifact's path is a link");
      }
    }
    const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
    const file = openSync(target, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o644);
    try {
      writeFileSync(file, content);
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw new ToolFailure("ARTIFACT_EXISTS", "there is a file of that name: artifacts are never replaced");
    }
    throw error;
  }
}
