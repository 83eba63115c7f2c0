/** The catalogue's pages for a browser. No style and no script: the policy of this server allows none. Pure. */
import { problemPath, problems, problemTitle } from "../../../schemas/problems/catalogue.ts";

/** @param code one of the catalogue's */
export function problemHtml(code: string): string {
  const { status, means, todo } = problems[code]!;
  const where = status === null ? "No answer of the API has it." : `HTTP status ${status}.`;
  return documentOf(
    code,
    `<p>${text(problemTitle(code))}. ${where}</p>
<h2>What it means</h2>
<p>${text(means)}</p>
<h2>What to do</h2>
<p>${text(todo)}</p>
<p><a href="/problems">All problems</a></p>`,
  );
}

export function problemIndexHtml(): string {
  const rows = Object.entries(problems).map(
    ([code, { status, means }]) =>
      `<tr><td><a href="${problemPath(code)}">${code}</a></td><td>${status ?? ""}</td><td>${text(means)}</td></tr>`,
  );
  return documentOf(
    "Problems",
    `<table>
<thead><tr><th>Code</th><th>Status</th><th>What it means</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`,
  );
}

function documentOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} - Cazi</title></head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
}

function text(plain: string): string {
  return plain
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/`([^`]*)`/g, "<code>$1</code>");
}
