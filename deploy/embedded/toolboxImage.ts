/**
 * The local image `cazi/toolbox:latest`: the system's static busybox and nothing else, so that examples and tests
 * run without a registry. The same busybox gives the same bytes, and so the same image id, on every machine. Pure.
 */
import { createHash } from "node:crypto";
import { type TarEntry, tarArchive } from "./tarArchive.ts";

export const toolboxReference = "cazi/toolbox:latest";
/** Label that holds the hash of the image's content. */
export const toolboxContentLabel = "cazi.content";

const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const passwd = "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n";
const group = "root:x:0:\nnogroup:x:65534:\n";

export interface ToolboxImage {
  /** In the format of `docker load`. */
  readonly archive: Buffer;
  readonly contentHash: string;
}

/**
 * @param busybox the program's bytes
 * @param applets the commands it answers to
 */
export function toolboxImage(
  busybox: Buffer,
  applets: readonly string[],
  architecture: string,
): ToolboxImage {
  const layer = tarArchive(layerEntries(busybox, applets));
  const contentHash = sha256(layer);
  const config = Buffer.from(
    JSON.stringify({
      architecture,
      os: "linux",
      created: "1970-01-01T00:00:00Z",
      config: {
        Env: [path],
        Cmd: ["/bin/sh"],
        WorkingDir: "/",
        Labels: { [toolboxContentLabel]: contentHash },
      },
      rootfs: { type: "layers", diff_ids: [`sha256:${contentHash}`] },
      history: [{ created: "1970-01-01T00:00:00Z", created_by: "cazi: static busybox" }],
    }),
  );
  const configName = `${sha256(config)}.json`;
  const manifest = [
    { Config: configName, RepoTags: [toolboxReference], Layers: [`${contentHash}/layer.tar`] },
  ];
  const archive = tarArchive([
    { name: configName, kind: "file", mode: 0o644, content: config },
    { name: `${contentHash}/`, kind: "folder", mode: 0o755 },
    { name: `${contentHash}/layer.tar`, kind: "file", mode: 0o644, content: layer },
    { name: "manifest.json", kind: "file", mode: 0o644, content: Buffer.from(JSON.stringify(manifest)) },
  ]);
  return { archive, contentHash };
}

function layerEntries(busybox: Buffer, applets: readonly string[]): TarEntry[] {
  const folder = (name: string, mode = 0o755): TarEntry => ({ name: `${name}/`, kind: "folder", mode });
  const file = (name: string, mode: number, content: string | Buffer): TarEntry => ({
    name,
    kind: "file",
    mode,
    content: Buffer.from(content),
  });
  const symlink = (name: string, target: string): TarEntry => ({ name, kind: "symlink", target });
  return [
    ...["bin", "etc", "home", "usr", "usr/local", "usr/local/bin", "var"].map((name) => folder(name)),
    folder("root", 0o700),
    folder("tmp", 0o1777),
    folder("var/tmp", 0o1777),
    file("etc/passwd", 0o644, passwd),
    file("etc/group", 0o644, group),
    file("bin/busybox", 0o755, busybox),
    symlink("sbin", "bin"),
    symlink("usr/bin", "../bin"),
    symlink("usr/sbin", "../bin"),
    ...applets.filter((name) => name !== "busybox").map((name) => symlink(`bin/${name}`, "busybox")),
  ];
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
