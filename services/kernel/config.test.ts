import { describe, expect, it } from "vitest";
import { loadConfig, settings } from "./config.ts";

const noFile = () => {
  throw new Error("no file is read");
};
const shown = (env: Record<string, string>, variable: string) =>
  loadConfig(env, noFile).shown.find((one) => one.variable === variable);

describe("settings", () => {
  it("are their defaults where nothing is given", () => {
    const { config, given } = loadConfig({}, noFile);
    expect(config).toMatchObject({ port: 7070, beatMs: 5_000, node: "local", ack: "auto" });
    expect([...given]).toEqual([]);
  });

  it("keep seconds as milliseconds and show them as they are written", () => {
    const env = { CAZI_NODE_OFFLINE_SECONDS: "2.5" };
    expect(loadConfig(env, noFile).config.nodeOfflineMs).toBe(2_500);
    expect(shown(env, "CAZI_NODE_OFFLINE_SECONDS")).toMatchObject({ value: "2.5", origin: "environment" });
    expect(shown({}, "CAZI_NODE_OFFLINE_SECONDS")).toMatchObject({ value: "30", origin: "default" });
  });

  it("read back what they show, every one", () => {
    for (const { variable, value } of loadConfig({}, noFile).shown.filter(
      (one) => one.value !== "" && one.value !== "{}" && one.value !== "[]",
    )) {
      const given = value.startsWith("[") ? JSON.parse(value).join(",") : value;
      expect(shown({ [variable]: given }, variable)?.value).toBe(value);
    }
  });

  it("never show a secret, and take one from a file", () => {
    expect(shown({ DATABASE_URL: "postgres://u:p@h/d" }, "DATABASE_URL")?.value).toBe("(hidden)");
    const { config, shown: all } = loadConfig(
      { CAZI_TOKEN_FILE: "/run/token" },
      (path) => `${path}-content\n`,
    );
    expect(config.token).toBe("/run/token-content");
    expect(all.find((one) => one.variable === "CAZI_TOKEN")).toMatchObject({
      value: "(hidden)",
      origin: "file",
    });
  });

  it.each([
    ["CAZI_PORT", "seventy"],
    ["CAZI_PORT", "70000"],
    ["CAZI_BEAT_SECONDS", "0"],
    ["CAZI_BEAT_SECONDS", "1e9"],
    ["CAZI_NODE_RUNTIME", "podman"],
    ["CAZI_NODE_LABELS", "gpu"],
    ["CAZI_NODE_SLOTS", "-1"],
    ["DOCKER_HOST", "foo"],
    ["DATABASE_URL", "nonsense"],
    ["DATABASE_URL", "mysql://h/d"],
    ["NATS_URL", "127.0.0.1"],
  ])("refuse %s=%s, naming it", (variable, value) => {
    expect(() => loadConfig({ [variable]: value }, noFile)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(variable) }),
    );
  });

  it("take the addresses that their servers have", () => {
    const env = {
      DOCKER_HOST: "unix:///var/run/docker.sock",
      DATABASE_URL: "postgresql://u:p@%2Ftmp%2Fpg:5432/d?x=1",
      NATS_URL: "nats://127.0.0.1:4222",
    };
    expect(loadConfig(env, noFile).config).toMatchObject({
      natsUrl: env.NATS_URL,
      databaseUrl: env.DATABASE_URL,
    });
  });

  it("refuse a name that is none of them, and leave other programs' alone", () => {
    expect(() => loadConfig({ CAZI_PROT: "1" }, noFile)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
    expect(loadConfig({ PATH: "/bin", NATS: "x" }, noFile).given.size).toBe(0);
  });

  it("are each told in a sentence", () => {
    for (const one of Object.values(settings)) expect(one.about.length).toBeGreaterThan(15);
  });
});
