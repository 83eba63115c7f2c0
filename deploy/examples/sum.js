// Adds up the second column of each file that it was given.
const factor = context.factor ?? 1;
for (const { path } of callTool("listFiles", {}).files) {
  const rows = callTool("readFile", { path }).content.trim().split("\n");
  const sum = rows.reduce((total, row) => total + Number(row.split(",")[1]), 0);
  emit({ path, rows: rows.length, sum: sum * factor });
}
