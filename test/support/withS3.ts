/** An S3 server of a test file's own, on loopback, that checks signatures. Its keys are `S3RVER` and `S3RVER`. */
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { tempHome } from "./tempHome.ts";

/** Call at the top of a test file or describe block. `url` may be used inside hooks and tests. */
export function withS3(bucket: string): { readonly url: string } {
  const home = tempHome();
  let server: { close(): Promise<void> } | null = null;
  let url = "";
  beforeAll(async () => {
    const { default: S3rver } = await import("@20minutes/s3rver");
    const port = await freeLoopbackPort(null);
    const s3 = new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      vhostBuckets: false,
      directory: join(home.path, "s3"),
      configureBuckets: [{ name: bucket }],
    });
    await s3.run();
    server = s3;
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
