/** Every file that a project's policy refers to, by the path that the policy has; a package's folder with all of its own. */
import { dirname, isAbsolute, join, relative } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { isFolder, readPackageGraph } from "../policy/packageGraph.ts";
import { readSource } from "../policy/readSource.ts";
import { liesIn } from "../policy/realPlace.ts";

/** @throws Rejection `BUNDLE_REFUSED` for a file outside of the project, and those of reading */
export function projectFiles(config: AgentConfig): ReadonlyMap<string, string> {
  const policyPath = config.policy!.path;
  const folder = dirname(policyPath);
  const files = new Map<string, string>();
  const add = (path: string) => {
    const name = relative(folder, path).split("\\").join("/");
    if (name === "" || name.startsWith("../") || isAbsolute(name) || !liesIn(folder, path)) {
      throw new Rejection("BUNDLE_REFUSED", `${path} is outside of the project ${folder}.`, {
        hint: "`cazi agent policy validate --project-confined` lists what leaves it.",
      });
    }
    files.set(name, readSource(path).text);
  };
  add(policyPath);
  const single = [config.agent, config.osv_fixture, config.model_fixture];
  const named = [config.modules, config.packages, config.import_hooks, config.expected_events].flatMap(
    Object.values,
  );
  for (const one of [...single, ...named]) {
    if (one === null) continue;
    if (!isFolder(one.path)) add(one.path);
    else {
      add(join(one.path, "package.json"));
      for (const path of readPackageGraph(one.path).files.keys()) add(join(one.path, path));
    }
  }
  return files;
}
