import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import type { Projection } from "./project.ts";
import { intentColumns, stateColumns } from "./taskRow.ts";

type Columns = Readonly<Record<string, string>>;

/**
 * Arrays of one parameter a column, unnested: the parse cost is per statement, not per row.
 * @param first number of the first parameter
 */
export function unnest(columns: Columns, first: number): string {
  return `unnest(${Object.values(columns)
    .map((type, index) => `$${first + index}::${type}[]`)
    .join(", ")}) AS row (${Object.keys(columns).join(", ")})`;
}

/** The parameters of {@link unnest}: one array a column. */
export function arraysOf<C extends Columns>(
  columns: C,
  rows: readonly Readonly<Record<keyof C, string | number | boolean | null>>[],
): string[] {
  return Object.keys(columns).map((name) => arrayLiteral(rows.map((row) => row[name as keyof C])));
}

const createdColumns = { ...stateColumns, ...intentColumns };
const createdNames = Object.keys(createdColumns).join(", ");
const keyColumns = { tenant: "text", id: "text" } as const;
const assignments = Object.keys(stateColumns)
  .filter((name) => !(name in keyColumns))
  .map((name) => `${name} = row.${name}`)
  .join(", ");

const CREATED = 1;
const CHANGED = CREATED + Object.keys(createdColumns).length;
const ERASED = CHANGED + Object.keys(stateColumns).length;
/** Number of the first parameter that {@link taskParts} does not use. */
export const afterTaskParts = ERASED + Object.keys(keyColumns).length;

/**
 * Parts of a WITH that bring `tasks` up to date. Each reads `moved`, which has one row when the batch may be
 * written and none otherwise.
 *
 * A row that is over changes no more but for what keeps its status: an event that builds on a second end
 * (INV-ONE-END) changes nothing, whatever batch it comes in.
 */
export const taskParts = `
created AS (
  INSERT INTO tasks (${createdNames})
  SELECT ${createdNames} FROM moved, ${unnest(createdColumns, CREATED)}
),
changed AS (
  UPDATE tasks AS task SET ${assignments}
  FROM moved, ${unnest(stateColumns, CHANGED)}
  WHERE task.tenant = row.tenant AND task.id = row.id AND task.seq < row.seq
    AND (task.finished_at IS NULL OR task.status = row.status)
),
erased AS (
  DELETE FROM tasks AS task USING moved, ${unnest(keyColumns, ERASED)}
  WHERE task.tenant = row.tenant AND task.id = row.id
)`;

/** The parameters of {@link taskParts}. */
export function taskValues(projection: Projection): string[] {
  return [
    ...arraysOf(createdColumns, projection.created),
    ...arraysOf(stateColumns, projection.changed),
    ...arraysOf(keyColumns, projection.erased),
  ];
}
