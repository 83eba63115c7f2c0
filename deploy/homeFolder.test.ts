import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { keptInstance } from "./homeFiles.ts";
import { ensureHome } from "./homeFolder.ts";

const folder = mkdtempSync(join(tmpdir(), "cazi-home-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const unusable = (path: string) => () => ensureHome(path);

describe("the home", () => {
  it("is made with all above it, for its user alone, and found again", () => {
    const home = join(folder, "a", "b c", "é");
    ensureHome(home);
    ensureHome(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it("is made by whatever is the first to keep something in it", () => {
    const home = join(folder, "of a role alone");
    const instance = keptInstance(home, "");
    expect(keptInstance(home, "")).toBe(instance);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it("is refused with its reason where it cannot be, naming the setting", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const cases = [file, join(file, "below"), join(folder, "x".repeat(300)), "/proc/cazi/home"];
    for (const path of cases) {
      expect(unusable(path)).toThrow(
        expect.objectContaining({ code: "HOME_UNUSABLE", message: expect.stringContaining("CAZI_HOME") }),
      );
    }
  });
});
