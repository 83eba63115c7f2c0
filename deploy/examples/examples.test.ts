import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isRefusal } from "../../services/domain/refusal.ts";
import { parseSpecText } from "../../services/domain/spec/parseSpecText.ts";
import { readSpec } from "../../services/domain/spec/readSpec.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

describe("the examples", () => {
  it.each(files)("%s is a spec that is accepted without a warning and says why it exists", (file) => {
    const input = parseSpecText(readFileSync(`${folder}${file}`, "utf8"), "yaml");
    const read = readSpec(input);
    if (isRefusal(read)) throw new Error(JSON.stringify(read));
    expect(read.warnings).toEqual([]);
    expect(read.spec.image).toBe("cazi/toolbox:latest");
    expect(read.spec.rationale).not.toBeNull();
  });
});
