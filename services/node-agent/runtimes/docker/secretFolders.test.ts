import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openSecretFolders, secretsRoot } from "./secretFolders.ts";

const home = mkdtempSync(join(tmpdir(), "cazi-secrets-"));
afterAll(() => rmSync(home, { recursive: true }));
const ref = (task: string) => ({ tenant: "acme", task, attempt: 1, fence: `1.${task}` });
const base64 = (text: string) => Buffer.from(text).toString("base64");
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("the files of connections on a node", () => {
  it("can be read by any user of the container, in a root that is this user's alone", async () => {
    const root = join(home, "a");
    const folders = await openSecretFolders(root);
    const folder = await folders.place(ref("t1"), { "db/tls/key.pem": base64("k"), "gh/token": base64("t") });
    expect(readFileSync(join(folder, "db/tls/key.pem"), "utf8")).toBe("k");
    const modes = ["db/tls/key.pem", "gh/token", "", "db", "db/tls"].map((path) => mode(join(folder, path)));
    expect([mode(root), ...modes]).toEqual(["700", "444", "444", "755", "755", "755"]);
    await folders.place(ref("t1"), { "gh/token": base64("again") });
    expect(readdirSync(folder)).toEqual(["gh"]);
    await folders.remove(ref("t1"));
    await folders.remove(ref("t1"));
    expect(existsSync(root)).toBe(false);
  });

  it("of attempts that a dead life left are taken away, and those that are here stay", async () => {
    const root = join(home, "b");
    const folders = await openSecretFolders(root);
    for (const task of ["t1", "t2"]) await folders.place(ref(task), { "a/b": base64("x") });
    await folders.removeOthers([ref("t2")]);
    expect(readdirSync(root)).toEqual(["t2-1"]);
  });

  it("are in memory where there is such a place, and the same place each time", async () => {
    const root = await secretsRoot(home);
    expect(root).toBe(await secretsRoot(home));
    expect(root).toMatch(/^\/dev\/shm\/cazi-[0-9a-f]{16}$|\/secrets$/);
    if (root.startsWith("/dev/shm")) rmSync(root, { recursive: true });
  });
});
