import { describe, expect, it } from "vitest";
import { loadConfig } from "../../services/kernel/config.ts";
import { nodeConfig, nodeRefused } from "./serveNode.ts";

const settings = (env: Record<string, string>) => loadConfig(env, () => "");

describe("a node that is served alone", () => {
  it("has the name of its credentials, and kills what runs when it is cut off unless told otherwise", () => {
    expect(nodeConfig(settings({}), "b")).toMatchObject({ node: "b", onDisconnect: "kill" });
    expect(nodeConfig(settings({ CAZI_NODE: "b", CAZI_ON_DISCONNECT: "keep" }), "b")).toMatchObject({
      node: "b",
      onDisconnect: "keep",
    });
  });

  it("does not take another name than its credentials'", () => {
    expect(() => nodeConfig(settings({ CAZI_NODE: "c" }), "b")).toThrow(
      expect.objectContaining({ code: "NODE_CREDS_MISMATCH" }),
    );
  });

  it("says by one code what to do when the server does not take its credentials any more", () => {
    expect(nodeRefused("b")).toMatchObject({
      code: "NODE_REFUSED",
      message: expect.stringContaining("b was removed"),
      hint: expect.stringMatching(/end this agent.*`cazi node add b`/),
    });
  });

  it("is as its settings say with the services' credentials", () => {
    expect(nodeConfig(settings({ CAZI_NODE: "c" }), null)).toMatchObject({ node: "c", onDisconnect: "keep" });
  });
});
