/** What an operator's load balancer does between clients and several APIs: asks each whether it is ready, and uses those in turn. */

export interface Balancer {
  /** In place of the platform's: whatever host is asked, one of the APIs is. */
  readonly fetch: typeof fetch;
  add(url: string): void;
  /** Requests that an API had taken and that got no answer. */
  cut(): number;
  close(): void;
}

const probeMs = 100;
/** Nothing was sent, so another API may be asked. */
const REFUSED = new Set(["ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"]);

export function openBalancer(): Balancer {
  const ready = new Map<string, boolean>();
  let turn = 0;
  let cut = 0;
  /** Those that are ready, from the next one on; all where none says so: then they say why. */
  const inTurn = () => {
    const all = [...ready.keys()];
    const good = all.filter((url) => ready.get(url));
    const some = good.length > 0 ? good : all;
    const first = turn++ % Math.max(1, some.length);
    return [...some.slice(first), ...some.slice(0, first)];
  };
  const probe = async (url: string) => {
    const isReady = await fetch(`${url}/readyz`, { headers: { connection: "close" } }).then(
      async (answer) => (await answer.text()) !== "" && answer.status === 200,
      () => false,
    );
    if (ready.has(url)) ready.set(url, isReady);
  };
  const timer = setInterval(() => {
    for (const url of ready.keys()) void probe(url);
  }, probeMs);
  return {
    add: (url) => ready.set(url, true),
    cut: () => cut,
    close: () => clearInterval(timer),
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      let refused: unknown = new Error("there is no API");
      for (const url of inTurn()) {
        try {
          return await fetch(`${url}${pathname}${search}`, init);
        } catch (error) {
          const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? "";
          if (!REFUSED.has(code)) {
            if (!init?.signal?.aborted) cut++;
            throw error;
          }
          ready.set(url, false);
          refused = error;
        }
      }
      throw refused;
    },
  };
}
