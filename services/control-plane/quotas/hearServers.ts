import { type ApiServerNotice, apiServerNotice } from "../../../schemas/messages/apiServer.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { serverNoticeMs, serverSilenceMs } from "../limits.ts";

/** Which servers of the API there are: limits of a tenant that each counts for itself are divided by their number. */
export interface ServersHeard {
  /** This one included. */
  count(): number;
  stop(): void;
}

/**
 * Says every so often that this server is there, and counts the others that say so. Nothing is stored; a lost word costs
 * nothing, and one that died is counted until it has been silent for a while.
 * @param ports.server an id of this process
 */
export function hearServers(ports: {
  readonly nats: Pick<Nats, "connection">;
  readonly clock: Clock;
  readonly server: string;
}): ServersHeard {
  const { clock, server } = ports;
  const { connection } = ports.nats;
  const heardAt = new Map<string, number>();
  const say = (leaving: boolean) => {
    if (connection.isClosed()) return;
    connection.publish(subjects.apiServers(), JSON.stringify({ server, leaving } satisfies ApiServerNotice));
  };
  const subscription = connection.subscribe(subjects.apiServers(), {
    callback: (error, message) => {
      const read = error ? null : apiServerNotice.safeParse(jsonOf(message.data));
      if (!read?.success || read.data.server === server) return;
      const { server: other, leaving } = read.data;
      const isNew = !heardAt.has(other);
      if (leaving) heardAt.delete(other);
      else heardAt.set(other, clock.monotonicMs());
      // So that a server that has just come knows all of them at once.
      if (isNew && !leaving) say(false);
    },
  });
  say(false);
  const timer = setInterval(() => say(false), serverNoticeMs);
  timer.unref();
  return {
    count: () => {
      const now = clock.monotonicMs();
      for (const [other, at] of heardAt) if (now - at > serverSilenceMs) heardAt.delete(other);
      return 1 + heardAt.size;
    },
    stop: () => {
      clearInterval(timer);
      say(true);
      subscription.unsubscribe();
    },
  };
}

function jsonOf(data: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(data).toString());
  } catch {
    return null;
  }
}
