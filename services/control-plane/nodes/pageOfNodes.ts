import type { ListNodesQuery, Node } from "../../../schemas/api/node.ts";
import type { Page } from "../../../schemas/api/page.ts";
import { cursorInvalid } from "../reads/keyset.ts";

/** A page of nodes in the order of their names; the cursor is the last name. @throws Rejection `CURSOR_INVALID` */
export function pageOfNodes(nodes: readonly Node[], query: ListNodesQuery): Page<Node> {
  const { cursor, limit } = query;
  if (cursor !== undefined && !/^[a-z0-9][a-z0-9_-]{0,62}$/.test(cursor)) {
    throw cursorInvalid();
  }
  const rest = nodes
    .filter((node) => cursor === undefined || node.name > cursor)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const data = rest.slice(0, limit);
  return { data, next_cursor: rest.length > limit ? (data.at(-1)?.name ?? null) : null };
}
