/** What a person needs to begin, printed once all roles run. Pure. */

/**
 * @param of.lost the ledger has lost events: it is up, and not ready
 * @param of.homeGiven when the home is not the default one, commands must name it
 */
export function readyMessage(of: {
  url: string;
  tokenFile: string;
  cli: string;
  home: string;
  homeGiven: boolean;
  lost: boolean;
}): string {
  const { url, tokenFile, cli, home, homeGiven, lost } = of;
  const prefix = homeGiven ? `CAZI_HOME=${quoted(home)} ` : "";
  const server = { command: "node", args: [cli, "mcp"], env: { CAZI_HOME: home } };
  return [
    "",
    ...(lost ? [`up at ${url}`, ...takesNothing] : [`ready ${url}`]),
    `  token       ${tokenFile}`,
    `  MCP client  ${JSON.stringify({ mcpServers: { cazi: server } })}`,
    `  MCP by HTTP ${url}/mcp (header: Authorization: Bearer <what the token file holds>)`,
    `  try         ${prefix}npx cazi ${lost ? "ledger verify" : "run deploy/examples/hello.yaml"}`,
    "",
  ].join("\n");
}

const takesNothing = [
  "  but takes no task: the ledger has lost events, and nothing is written to it until it is repaired;",
  "  see docs/runbooks/ledger-repair.md",
];

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
