/** Writes docs/doctor.md from the catalogue: `npx tsx services/cli/doctor/describe.ts`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "../../kernel/projectRoot.ts";
import { rowCatalogue, type Section, sections } from "./rowCatalogue.ts";

const head = `# cazi doctor

<!-- Generated from services/cli/doctor/rowCatalogue.ts by services/cli/doctor/describe.ts. -->

Prints what Cazi stands on, what an acknowledgement survives, and what is enforced. It reads only, and works while nothing
runs: then it says which rows could not be looked at. It exits 1 when a row is failing, else 0. \`-o json\` gives a list of
\`{ id, section, status, found, next }\`; ids and statuses keep their names.

| mark | status | says |
|---|---|---|
| ok | \`ok\` | as it should be |
| warn | \`warn\` | it works, and something could be stronger |
| FAIL | \`fail\` | something that Cazi needs is broken |
| open | \`not_enforced\` | nothing stands in the way here |
| ? | \`unknown\` | it could not be looked at |

Each row is backed by tests; a row that says "enforced" by one that attacks it. \`services/cli/doctor/doctor.test.ts\` holds this
table to the tests. What runc is known to let out is judged by version; distributions put fixes under older numbers, so a
packaged version is flagged unless that very package is known to have the fix.
`;

/** The page, as text. */
export function describeDoctor(): string {
  const parts = (Object.keys(sections) as Section[]).map((section) => {
    const own = Object.entries(rowCatalogue).filter(([, row]) => row.section === section);
    const lines = own.map(
      ([id, { about, tests }]) => `| \`${id}\` | ${about} | ${tests.map(cell).join("<br>")} |\n`,
    );
    return `\n## ${sections[section]}\n\n| row | says | test |\n|---|---|---|\n${lines.join("")}`;
  });
  return head + parts.join("");
}

function cell(test: string): string {
  const at = test.indexOf(": ");
  return `\`${test.slice(0, at)}\`: ${test.slice(at + 2)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(join(projectRoot, "docs", "doctor.md"), describeDoctor());
}
