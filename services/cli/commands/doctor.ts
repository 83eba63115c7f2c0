import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CliContext, connect } from "../context.ts";
import { lookAtArtifacts } from "../doctor/artifactRows.ts";
import { engineRowIds } from "../doctor/engineRows.ts";
import { doorRowIds, lookAtApi } from "../doctor/lookAtApi.ts";
import { lookAtEngine } from "../doctor/lookAtEngine.ts";
import { lookAtHome } from "../doctor/lookAtHome.ts";
import { lookAtStores } from "../doctor/lookAtStores.ts";
import { printRows } from "../doctor/printRows.ts";
import { type Row, rowOf, rowsOr } from "../doctor/row.ts";
import { type RowId, rowCatalogue } from "../doctor/rowCatalogue.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { defaultDockerHost, keptInstance } from "./stopLeftContainers.ts";

/**
 * Prints what Cazi stands on, what is enforced and what is not. Exits 1 only when something is failing; what could
 * not be looked at, because nothing runs, is said and is no failure.
 */
export async function doctor(context: CliContext, options: { readonly output: Format }): Promise<number> {
  const { config } = context.settings();
  const isRunning = config.url !== "" || existsSync(join(config.home, "url"));
  const found = await Promise.all([
    rowOf("cazi", "ok", `Cazi ${context.version} on Node ${process.versions.node}`),
    rowsOr({ first: "api", others: doorRowIds }, () => lookAtApi(connect(context), config.keyRotateDays)),
    rowsOr({ first: "engine", others: [...engineRowIds, "left_containers"] }, () =>
      lookAtEngine({
        address: config.dockerHost || defaultDockerHost,
        policy: { mounts: config.nodeMounts, networks: config.nodeNetworks },
        instance: config.instance || keptInstance(config.home),
        isRunning,
      }),
    ),
    lookAtStores(config, context.clock, isRunning),
    lookAtArtifacts(config, isRunning),
    rowsOr({ first: "disk", others: ["home", "master_key"] }, () =>
      lookAtHome(config.home, config.masterKey !== ""),
    ),
  ]);
  const rows = inOrder(found.flat());
  await context.output.data(
    await render(options.output, { value: rows, items: rows, table: () => printRows(rows) }),
  );
  return rows.some(({ status }) => status === "fail") ? exitCodes.failure : exitCodes.ok;
}

/** The order of the catalogue, whoever answered first. */
function inOrder(rows: readonly Row[]): Row[] {
  const ids = Object.keys(rowCatalogue) as RowId[];
  return [...rows].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
