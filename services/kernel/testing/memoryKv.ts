import { createInbox, type KV, type KvEntry, NatsError } from "nats";

/** A key-value bucket in memory, with the members that the control plane uses: reads, writes by revision, watches. */
export function memoryKv(): KV {
  const entries = new Map<string, { value: string; revision: number; operation: "PUT" | "DEL" }>();
  const watchers = new Set<{ readonly key: string | undefined; readonly tell: (entry: KvEntry) => void }>();
  let revision = 0;
  const asEntry = (key: string) => {
    const found = entries.get(key);
    if (found === undefined) return null;
    const { value, operation } = found;
    const entry = {
      key,
      operation,
      revision: found.revision,
      string: () => value,
      json: () => JSON.parse(value),
    };
    return entry as unknown as KvEntry;
  };
  const write = (key: string, value: string, operation: "PUT" | "DEL", expected?: number): number => {
    if (expected !== undefined && (entries.get(key)?.revision ?? 0) !== expected) throw wrongSequence();
    entries.set(key, { value, revision: ++revision, operation });
    for (const { key: wanted, tell } of watchers) if ((wanted ?? key) === key) tell(asEntry(key)!);
    return revision;
  };
  return {
    get: async (key: string) => asEntry(key),
    put: async (key: string, value: string, options?: { previousSeq?: number }) =>
      write(key, value, "PUT", options?.previousSeq),
    delete: async (key: string, options?: { previousSeq?: number }) =>
      void write(key, "", "DEL", options?.previousSeq),
    purge: async (key: string) => void write(key, "", "DEL"),
    keys: async (filter = ">") => {
      const prefix = filter.replace(/[*>]$/, "");
      const live = [...entries]
        .filter(([key, { operation }]) => operation === "PUT" && key.startsWith(prefix))
        .map(([key]) => key);
      return (async function* () {
        yield* live;
      })();
    },
    watch: async ({ key, initializedFn }: { key?: string; initializedFn?: () => void } = {}) => {
      const waiting: KvEntry[] = [...entries.keys()]
        .filter((one) => (key ?? one) === one)
        .map((one) => asEntry(one)!);
      let wake: () => void = () => undefined;
      let stopped = false;
      const watcher = {
        key,
        tell: (entry: KvEntry) => {
          waiting.push(entry);
          wake();
        },
      };
      watchers.add(watcher);
      initializedFn?.();
      const iterate = async function* () {
        while (!stopped) {
          while (waiting.length > 0) yield waiting.shift()!;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      };
      const stop = () => {
        stopped = true;
        watchers.delete(watcher);
        wake();
      };
      return Object.assign(iterate(), { stop, id: createInbox() });
    },
  } as unknown as KV;
}

function wrongSequence(): NatsError {
  const error = new NatsError("wrong last sequence", "400");
  error.api_error = { code: 400, err_code: 10071, description: "wrong last sequence" };
  return error;
}
