import type { Page } from "../schemas/api/page.ts";
import { resultCharsMax } from "./limits.ts";

/**
 * A page whose JSON fits a result: asked for again with fewer items until it does. Fewer are asked for rather
 * than some dropped, because the cursor stands behind the last one.
 */
export async function fittingPage<P extends Page<unknown>>(
  limit: number,
  ask: (limit: number) => Promise<P>,
  charsMax = resultCharsMax,
): Promise<P> {
  for (let fitting = limit; ; ) {
    const page = await ask(fitting);
    const count = page.data.length;
    if (count <= 1 || JSON.stringify(page).length < charsMax) return page;
    fitting = Math.max(1, Math.floor(Math.min(fitting, count) / 2));
  }
}
