/** Images of a test's own in its registry, with content that no engine has seen. */
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import type Docker from "dockerode";
import type { TestRegistry } from "./withRegistry.ts";

/**
 * Makes an image of one layer of about `bytes`, pushes it and forgets it
 * here, so that the next pull brings it over the line.
 * @returns its name in the registry
 */
export async function pushImage(
  docker: Docker,
  registry: TestRegistry,
  options: { readonly name: string; readonly bytes: number },
): Promise<string> {
  const ref = `${registry.address}/${options.name}`;
  const made = await docker.importImage(Readable.from([tarOfOneFile(randomBytes(options.bytes))]), {
    repo: ref,
    tag: "1",
  });
  await finished(docker, made);
  const pushed = await docker.getImage(`${ref}:1`).push({ authconfig: { username: "", password: "" } });
  await finished(docker, pushed);
  await docker.getImage(`${ref}:1`).remove({ force: true });
  return `${options.name}:1`;
}

function finished(docker: Docker, stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) =>
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve())),
  );
}

/** A tar of one file of these bytes: header, content, padding, two empty blocks. */
function tarOfOneFile(content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write("content", 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding, Buffer.alloc(1024)]);
}
