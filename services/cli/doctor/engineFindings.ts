/** What a Docker engine enforces, from what it says of itself. Pure. */
import type { Finding } from "./finding.ts";

/** Of `GET /version` and `GET /info`; a field that an engine leaves out counts as not enforced. */
export interface EngineFacts {
  readonly address: string;
  readonly version: string;
  readonly components: readonly { readonly Name: string; readonly Version: string }[];
  readonly info: Readonly<Record<string, unknown>>;
}

const limits: readonly (readonly [field: string, what: string])[] = [
  ["MemoryLimit", "memory limits"],
  ["SwapLimit", "swap limits"],
  ["CpuCfsQuota", "CPU limits"],
  ["PidsLimit", "process limits"],
];

export function engineFindings(facts: EngineFacts): Finding[] {
  const runtimes = facts.components
    .filter(({ Name }) => Name !== "Engine" && Name !== "docker-init")
    .map(({ Name, Version }) => `${Name} ${Version}`);
  const engine: Finding = {
    check: "engine",
    result: "ok",
    found: [`Docker ${facts.version} at ${facts.address}`, ...runtimes].join(", "),
    advice: "",
  };
  return [engine, limitsFinding(facts.info), seccompFinding(facts.info), usersFinding(facts.info)];
}

function limitsFinding(info: EngineFacts["info"]): Finding {
  const missing = limits.filter(([field]) => info[field] !== true).map(([, what]) => what);
  if (missing.length === 0) {
    return { check: "limits", result: "ok", found: "memory, CPU and processes are limited", advice: "" };
  }
  return {
    check: "limits",
    result: "warning",
    found: `this kernel does not enforce ${missing.join(", ")}`,
    advice: "A task can use more than its spec says; enable the missing cgroup controllers.",
  };
}

function seccompFinding(info: EngineFacts["info"]): Finding {
  if (securityOptions(info).some((option) => option.includes("seccomp"))) {
    return {
      check: "seccomp",
      result: "ok",
      found: "the default system call filter is in force",
      advice: "",
    };
  }
  return {
    check: "seccomp",
    result: "warning",
    found: "system calls of containers are not filtered",
    advice: "Use an engine and a kernel with seccomp.",
  };
}

function usersFinding(info: EngineFacts["info"]): Finding {
  const apart = securityOptions(info).some((option) => /rootless|userns/.test(option));
  if (apart)
    return { check: "users", result: "ok", found: "root in a container is not root here", advice: "" };
  return {
    check: "users",
    result: "warning",
    found: "root in a container is root of the host, less its capabilities",
    advice: "Set `user` in specs, or run the engine rootless or with userns-remap.",
  };
}

function securityOptions(info: EngineFacts["info"]): string[] {
  return Array.isArray(info.SecurityOptions) ? info.SecurityOptions.map(String) : [];
}
