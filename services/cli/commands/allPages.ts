import type { Page } from "../../../schemas/api/page.ts";

const pageLimitMax = 200;

/**
 * The first `limit` items of a list, over as many pages as it takes.
 * @returns a page whose cursor goes on behind them; null when there are no more
 */
export async function allPages<T>(
  limit: number,
  cursor: string | undefined,
  ask: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
): Promise<Page<T>> {
  const data: T[] = [];
  let next = cursor;
  for (;;) {
    const page = await ask({ limit: Math.min(pageLimitMax, limit - data.length), cursor: next });
    data.push(...page.data);
    if (page.next_cursor === null || data.length >= limit) return { data, next_cursor: page.next_cursor };
    next = page.next_cursor;
  }
}
