/** What a person needs to begin, printed once all roles run. Pure. */

/** @param of.homeGiven when the home is not the default one, commands must name it */
export function readyMessage(of: {
  url: string;
  tokenFile: string;
  cli: string;
  home: string;
  homeGiven: boolean;
}): string {
  const { url, tokenFile, cli, home, homeGiven } = of;
  const prefix = homeGiven ? `CAZI_HOME=${quoted(home)} ` : "";
  const server = { command: "node", args: [cli, "mcp"], env: { CAZI_HOME: home } };
  return [
    "",
    `ready ${url}`,
    `  token       ${tokenFile}`,
    `  MCP client  ${JSON.stringify({ mcpServers: { cazi: server } })}`,
    `  MCP by HTTP ${url}/mcp (header: Authorization: Bearer <what the token file holds>)`,
    `  try         ${prefix}npx cazi run deploy/examples/hello.yaml`,
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
