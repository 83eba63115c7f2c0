import { describe, expect, it } from "vitest";
import { planMigrations } from "./planMigrations.ts";

const file = (name: string, sha256 = name) => ({ name, sql: "SELECT 1", sha256 });
const files = [file("000001_a"), file("000002_b"), file("000003_c")];

describe("planMigrations", () => {
  it("applies all to an empty database, in order", () => {
    expect(planMigrations(files, [])).toEqual(files);
  });

  it("applies only what is missing", () => {
    expect(planMigrations(files, files.slice(0, 2))).toEqual([files[2]]);
    expect(planMigrations(files, files)).toEqual([]);
  });

  it.each([
    [
      "MIGRATION_EDITED",
      "a file that was changed after it was applied",
      [{ name: "000001_a", sha256: "other" }],
    ],
    ["DATABASE_NEWER", "a migration of a later version", [...files, file("000004_d")]],
    ["MIGRATION_ORDER", "a new file before an applied one", [files[0]!, files[2]!]],
  ])("refuses with %s %s", (code, _what, applied) => {
    expect(() => planMigrations(files, applied)).toThrow(expect.objectContaining({ code }));
  });
});
