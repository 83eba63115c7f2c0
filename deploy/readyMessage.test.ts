import { expect, it } from "vitest";
import { readyMessage } from "./readyMessage.ts";

const of = {
  url: "http://127.0.0.1:7070",
  tokenFile: "/c/.cazi/token",
  cli: "/c/cazi.mjs",
  home: "/c/.cazi",
  lost: false,
};

it("says ready, where, with which token, and what to try", () => {
  expect(readyMessage({ ...of, homeGiven: false })).toBe(`
ready http://127.0.0.1:7070
  token       /c/.cazi/token
  MCP client  {"mcpServers":{"cazi":{"command":"node","args":["/c/cazi.mjs","mcp"],"env":{"CAZI_HOME":"/c/.cazi"}}}}
  MCP by HTTP http://127.0.0.1:7070/mcp (header: Authorization: Bearer <what the token file holds>)
  try         npx cazi run deploy/examples/hello.yaml
`);
});

it("names a home that commands would not find by themselves, quoted for the shell", () => {
  const text = readyMessage({ ...of, home: "/it's here", homeGiven: true });
  expect(text).toContain(`try         CAZI_HOME='/it'\\''s here' npx cazi run`);
});

it("does not say ready where the ledger has lost events, but what to read", () => {
  const text = readyMessage({ ...of, homeGiven: false, lost: true });
  expect(text).toContain("\nup at http://127.0.0.1:7070\n  but takes no task: the ledger has lost events");
  expect(text).toContain("see docs/runbooks/ledger-repair.md\n");
  expect(text).toContain("try         npx cazi ledger verify");
  expect(text).not.toMatch(/ready http|cazi run/);
});
