/** An S3 server of a test file's own, on loopback, that checks signatures. Its keys are `S3RVER` and `S3RVER`. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { tempHome } from "./tempHome.ts";

/** The package has no types. */
interface S3Server {
  run(): Promise<unknown>;
  close(): Promise<void>;
}
type S3Constructor = new (options: object) => S3Server;

/** Call at the top of a test file or describe block. `url` may be used inside hooks and tests. */
export function withS3(bucket: string): { readonly url: string } {
  const home = tempHome();
  let server: S3Server | null = null;
  let url = "";
  beforeAll(async () => {
    const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as S3Constructor;
    const port = await freeLoopbackPort(null);
    server = new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      vhostBuckets: false,
      directory: join(home.path, "s3"),
      configureBuckets: [{ name: bucket }],
    });
    await server.run();
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await server?.close();
    home.remove();
  });
  return {
    get url() {
      return url;
    },
  };
}
