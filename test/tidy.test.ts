/** The house rules that a machine can check. Each says what it protects; CONTRIBUTING.md tells the rest. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../services/kernel/projectRoot.ts";

const FUNCTION_LINES_MAX = 70;
const SOURCE_LINES_MAX = 400;
const TEST_LINES_MAX = 800;

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: projectRoot,
  encoding: "utf8",
})
  .split("\n")
  .filter((name) => /\.(ts|mjs|cjs)$/.test(name) && existsSync(join(projectRoot, name)))
  // Nobody writes these; a test of their own holds each to what it is made from.
  .filter((name) => !name.includes("/generated/"));
const texts = new Map(files.map((name) => [name, readFileSync(join(projectRoot, name), "utf8")]));
const isTest = (name: string) => name.endsWith(".test.ts") || name.startsWith("test/");
const sources = files.filter((name) => !isTest(name));

/** Modules that a file imports, those of the project as paths from its root. */
function importsOf(name: string): { readonly target: string; readonly typeOnly: boolean }[] {
  const found = texts
    .get(name)!
    .matchAll(/^\s*(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/gm);
  return [...found].map((match) => {
    const target = match[2] ?? match[3]!;
    return {
      target: target.startsWith(".") ? normalize(join(dirname(name), target)) : target,
      typeOnly: match[1] !== undefined,
    };
  });
}

const serviceOf = (path: string) => /^services\/([^/]+)\//.exec(path)?.[1];

describe("the house", () => {
  it("keeps files small enough to hold one idea", () => {
    const long = files.filter(
      (name) => texts.get(name)!.split("\n").length > (isTest(name) ? TEST_LINES_MAX : SOURCE_LINES_MAX),
    );
    expect(long).toEqual([]);
  });

  it("keeps functions short enough to be read at once", { timeout: 120_000 }, () => {
    const long: string[] = [];
    for (const name of sources) {
      const source = ts.createSourceFile(name, texts.get(name)!, ts.ScriptTarget.Latest, true);
      const visit = (node: ts.Node) => {
        if (ts.isFunctionLike(node) && "body" in node && node.body) {
          const lines = ["getStart", "getEnd"].map(
            (edge) =>
              source.getLineAndCharacterOfPosition(
                edge === "getStart" ? node.body!.getStart() : node.body!.getEnd(),
              ).line,
          );
          const closures = nestedFunctionLines(node.body as ts.Node, source);
          if (lines[1]! - lines[0]! - closures > FUNCTION_LINES_MAX)
            long.push(`${name}: ${node.name?.getText() ?? "a function"}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    expect(long).toEqual([]);
  });

  it("keeps the domain pure: no I/O, no clock, no random, nothing above it", () => {
    const broken = sources
      .filter((name) => name.startsWith("services/domain/"))
      .flatMap((name) => [
        ...importsOf(name)
          .filter(
            ({ target, typeOnly }) =>
              !target.startsWith("services/domain/") &&
              !["zod", "yaml"].includes(target) &&
              !(typeOnly && target.startsWith("schemas/messages/")),
          )
          .map(({ target }) => `${name} imports ${target}`),
        ...[
          ...code(name).matchAll(
            /\b(Date\.now|new Date\(|Math\.random|randomUUID|process\.|performance\.|setTimeout)/g,
          ),
        ].map((match) => `${name} uses ${match[1]}`),
      ]);
    expect(broken).toEqual([]);
  });

  it("lets services meet in the ledger only: none imports another", () => {
    const broken = sources.flatMap((name) => {
      const own = serviceOf(name);
      if (own === undefined || own === "cli") return [];
      return importsOf(name)
        .filter(({ target }) => {
          const other = serviceOf(target);
          return other !== undefined && other !== own && other !== "kernel" && other !== "domain";
        })
        .map(({ target }) => `${name} imports ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it("spells subjects in one place", () => {
    const literal =
      /["'`](ledger|events|claim|report|log|grant|beat|control|checkpoint|guard|dead)\.(\$\{|\*|>)/;
    const broken = sources.filter((name) => !name.startsWith("streams/") && literal.test(code(name)));
    expect(broken).toEqual([]);
  });

  it("talks to the engine in one place", () => {
    const importers = sources.filter((name) =>
      importsOf(name).some(({ target, typeOnly }) => target === "dockerode" && !typeOnly),
    );
    expect(importers.filter((name) => !name.startsWith("services/node-agent/runtimes/docker/"))).toEqual([]);
  });

  it("names files after their idea", () => {
    const vague = files.filter((name) =>
      /(^|\/)(utils?|helpers?|common|misc|shared)\.(ts|mjs|cjs)$/.test(name),
    );
    expect(vague).toEqual([]);
  });

  it("leaves no reminders in the code", () => {
    const marked = files.filter(
      (name) => name !== "test/tidy.test.ts" && /\b(TODO|FIXME|XXX|HACK)\b/.test(texts.get(name)!),
    );
    expect(marked).toEqual([]);
  });

  it("mocks no module: tests share those that are loaded, so it would depend on who came first", () => {
    const mocking = [...texts].filter(([, text]) => /\bvi\.(mock|doMock)\(/.test(text));
    expect(mocking.map(([name]) => name)).toEqual([]);
  });

  it("gives every test of a file a title of its own", () => {
    const doubled = files
      .filter((name) => name.endsWith(".test.ts"))
      .flatMap((name) => {
        const titles = [...texts.get(name)!.matchAll(/\bit\(\s*"([^"]+)"/g)].map((match) => match[1]!);
        return titles
          .filter((title, index) => titles.indexOf(title) !== index)
          .map((title) => `${name}: ${title}`);
      });
    expect(doubled).toEqual([]);
  });

  it("says in each folder what may live there", () => {
    const folders = new Set(
      sources.flatMap((name) => [name.split("/")[0]!, serviceOf(name) ? `services/${serviceOf(name)}` : ""]),
    );
    const silent = [...folders].filter(
      (folder) =>
        folder !== "" && !folder.includes(".") && !existsSync(join(projectRoot, folder, "README.md")),
    );
    expect(silent).toEqual([]);
  });
});

/** The text without comments, so that prose may name what code may not. */
function code(name: string): string {
  return texts.get(name)!.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** Lines taken by functions declared inside, which are counted on their own. */
function nestedFunctionLines(body: ts.Node, source: ts.SourceFile): number {
  let lines = 0;
  const visit = (node: ts.Node) => {
    if (ts.isFunctionDeclaration(node)) {
      const [from, to] = [node.getStart(), node.getEnd()].map(
        (at) => source.getLineAndCharacterOfPosition(at).line,
      );
      lines += to! - from! + 1;
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(body);
  return lines;
}
