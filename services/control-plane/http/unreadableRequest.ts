import type { Socket } from "node:net";
import { headers } from "../../../schemas/api/headers.ts";
import { problemMediaType } from "../../../schemas/api/problem.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { headerBytesMax, requestReceiveMs } from "../limits.ts";
import { toProblem } from "./problem.ts";

/**
 * Answers what Node could not read as a request: there is no request and no reply then, only the connection, which
 * ends with it.
 */
export function answerUnreadable(ports: {
  readonly log: Log;
  readonly newId: () => string;
}): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const problem = toProblem(rejectionOf(error), ports.newId());
    ports.log.debug({ code: problem.code, correlation_id: problem.correlation_id, error }, "not a request");
    const body = JSON.stringify(problem);
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${problem.title}`,
        `Content-Type: ${problemMediaType}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
        `${headers.correlationId}: ${problem.correlation_id}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  };
}

/** Words in the middle of another answer would be taken for a part of it. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage } = socket as { _httpMessage?: { readonly headersSent?: boolean } | null };
  return _httpMessage?.headersSent === true;
}

function rejectionOf(error: NodeJS.ErrnoException): Rejection {
  switch (error.code) {
    case "HPE_HEADER_OVERFLOW":
      return new Rejection(
        "HEADERS_TOO_LARGE",
        `The headers of the request are larger than ${headerBytesMax} bytes.`,
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new Rejection(
        "REQUEST_TIMED_OUT",
        `The request did not arrive whole within ${requestReceiveMs / 1000} seconds.`,
      );
    default:
      return new Rejection("REQUEST_MALFORMED", "What was sent is not a request of HTTP/1.1.");
  }
}
