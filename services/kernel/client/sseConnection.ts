/** One connection of server-sent events; whoever follows opens the next one where this one ended. */
import { CaziError, Retryable } from "../errors.ts";
import { type Http, type HttpRequest, unreachable } from "./http.ts";
import { createSseParser, type SseMessage } from "./sseParser.ts";

/** The server sends at least a comment every 15 s: longer silence is a connection that died unnoticed. */
const silenceMaxMs = 45_000;
/** A server that restarts needs some seconds; one that stays away this long is reported. */
export const awayMaxMs = 60_000;
/** Between two connections. */
export const pauseMs = 500;

/**
 * What comes, as many messages at a time as came together; none for a comment, which says that the server lives.
 * @throws what the request throws; `API_UNREACHABLE` when the connection breaks, `API_SILENT`
 */
export async function* sseConnection(
  http: Http,
  request: HttpRequest,
  url: string,
): AsyncGenerator<readonly SseMessage[]> {
  const ended = new AbortController();
  const signals = request.signal === undefined ? [ended.signal] : [ended.signal, request.signal];
  const response = await http.send({ ...request, signal: AbortSignal.any(signals) });
  const parse = createSseParser();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const silence = setTimeout(() => ended.abort(new Retryable("API_SILENT", "silence")), silenceMaxMs);
  try {
    for await (const bytes of response.body ?? []) {
      silence.refresh();
      yield parse(decoder.decode(bytes, { stream: true }));
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    throw error instanceof CaziError ? error : unreachable(url, error);
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}
