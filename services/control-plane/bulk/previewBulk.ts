import {
  type BulkAction,
  type BulkFilter,
  type BulkPreview,
  bulkTasksMax,
} from "../../../schemas/api/bulk.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { ApiPositions } from "../http/positions.ts";
import type { ApiPorts } from "../ports.ts";
import { selectionText } from "./selection.ts";

/**
 * Which tasks an action would be done to, as the read models have them now. Changes nothing.
 * @throws Rejection `SELECTION_TOO_LARGE`; Retryable `DATABASE_UNAVAILABLE`
 */
export async function previewBulk(
  ports: Pick<ApiPorts, "reads">,
  positions: Pick<ApiPositions, "of">,
  of: { readonly tenant: string; readonly action: BulkAction; readonly filter: BulkFilter },
): Promise<BulkPreview> {
  const { action, filter } = of;
  const { seq, count, tasks } = await ports.reads.previewSelection(of.tenant, { action, filter });
  if (count > bulkTasksMax) {
    throw new Rejection("SELECTION_TOO_LARGE", `More than ${bulkTasksMax} tasks match. Nothing was done.`, {
      hint: "Narrow it, by time for example, and do it in parts.",
    });
  }
  return {
    action,
    count,
    tasks: [...tasks],
    selection: selectionText({ action, filter, position: positions.of(seq), count }),
  };
}
