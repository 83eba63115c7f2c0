import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { tempHome } from "../../test/support/tempHome.ts";
import { natsInit } from "./commands/natsInit.ts";
import type { CliContext } from "./context.ts";
import { writeWhole } from "./writeWhole.ts";

const home = tempHome();
afterAll(() => home.remove());
const at = (name: string) => join(home.path, name);

async function* bytes() {
  yield Buffer.from("new");
}

it("takes the place of a file with --force alone, and never that of a folder", async () => {
  writeFileSync(at("file"), "mine");
  mkdirSync(at("folder"));
  await expect(writeWhole(at("file"), bytes(), false)).rejects.toMatchObject({ code: "FILE_EXISTS" });
  await expect(writeWhole(at("folder"), bytes(), true)).rejects.toMatchObject({ code: "FILE_EXISTS" });
  expect(readFileSync(at("file"), "utf8")).toBe("mine");
  await writeWhole(at("file"), bytes(), true);
  expect(readFileSync(at("file"), "utf8")).toBe("new");
  expect(readdirSync(home.path).filter((name) => name.endsWith(".part"))).toEqual([]);
});

it("says with a code that a folder is not there", async () => {
  await expect(writeWhole(at("none/file"), bytes(), false)).rejects.toMatchObject({
    code: "FILE_UNWRITABLE",
    message: `${at("none/file")} cannot be written: there is no folder ${at("none")}.`,
  });
});

it("leaves settings of NATS that it did not make as they are, and makes no keys beside them", async () => {
  for (const name of ["accounts.conf", "subscriber.creds"]) {
    const folder = at(`nats-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, name), "mine");
    await expect(natsInit({} as CliContext, folder)).rejects.toMatchObject({ code: "FILE_EXISTS" });
    expect(readFileSync(join(folder, name), "utf8")).toBe("mine");
    expect(existsSync(join(folder, "keys"))).toBe(false);
  }
});
