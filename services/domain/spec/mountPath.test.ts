import { describe, expect, it } from "vitest";
import { isWithin, normalizePath, whyForbiddenSource, whyForbiddenTarget } from "./mountPath.ts";

describe("normalizePath", () => {
  it.each([
    ["/a/b", "/a/b"],
    ["//a///b/", "/a/b"],
    ["/a/./b/../c", "/a/c"],
    ["/../../etc", "/etc"],
    ["/", "/"],
    ["/a/..", "/"],
  ])("turns %s into %s", (path, expected) => {
    expect(normalizePath(path)).toBe(expected);
    expect(normalizePath(expected)).toBe(expected);
  });
});

describe("whyForbiddenSource", () => {
  it.each([
    "/",
    "/proc",
    "/proc/1/root",
    "/sys",
    "/dev/sda",
    "/etc",
    "/etc/shadow",
    "/root/.ssh",
    "/run",
    "/run/user/0",
    "/var/run",
    "/var/run/docker.sock",
    "/var/lib/docker",
    "/var/lib/docker/volumes",
    "/var/lib",
    "/var",
    "/boot",
    "/home/me/docker.sock",
    "/tmp/containerd.sock",
  ])("forbids %s", (path) => {
    expect(whyForbiddenSource(path)).not.toBeNull();
  });

  it.each(["/srv/data", "/home/me", "/etcetera", "/var/lib/dockerish", "/data/proc", "/tmp"])(
    "lets %s to the node",
    (path) => {
      expect(whyForbiddenSource(path)).toBeNull();
    },
  );
});

describe("whyForbiddenTarget", () => {
  it.each(["/", "/proc", "/proc/self", "/sys/fs", "/dev", "/dev/shm", "/pipe", "/pipe/stdin"])(
    "forbids %s",
    (path) => {
      expect(whyForbiddenTarget(path)).not.toBeNull();
    },
  );

  it.each(["/data", "/etc/app", "/processes", "/home/dev"])("allows %s", (path) => {
    expect(whyForbiddenTarget(path)).toBeNull();
  });
});

describe("isWithin", () => {
  it("takes a folder for its own and not for its neighbour's", () => {
    expect(isWithin("/a/b", "/a")).toBe(true);
    expect(isWithin("/a", "/a")).toBe(true);
    expect(isWithin("/ab", "/a")).toBe(false);
    expect(isWithin("/ab", "/")).toBe(true);
  });
});
