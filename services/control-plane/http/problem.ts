import type { FastifyError } from "fastify";
import type { Problem } from "../../../schemas/api/problem.ts";
import { problemPath, problemTitle } from "../../../schemas/problems/catalogue.ts";
import { CaziError, Rejection } from "../../kernel/errors.ts";
import { bodyBytesMax } from "../limits.ts";
import { problemStatus } from "./problemStatus.ts";

/** The problem document of `error`. What is not meant for the caller is not in it. */
export function toProblem(error: unknown, correlationId: string): Problem {
  const known = knownError(error);
  if (known === null) {
    return document({
      code: "INTERNAL",
      detail: "Something went wrong in the server; the log says what.",
      correlationId,
    });
  }
  return {
    // Facts first: no fact can take the place of a standard member.
    ...known.fields,
    ...document({ code: known.code, detail: known.message, correlationId }),
    ...(known.hint === undefined ? {} : { hint: known.hint }),
    ...(known.details.length === 0 ? {} : { errors: [...known.details] }),
  };
}

function document(of: { code: string; detail: string; correlationId: string }): Problem {
  const status = problemStatus[of.code] ?? 500;
  return {
    type: problemPath(of.code),
    title: problemTitle(of.code),
    status,
    detail: of.detail,
    code: of.code,
    correlation_id: of.correlationId,
  };
}

/** An error that a caller may be told of, or null. One with a code that has no status is a bug, and not told. */
function knownError(error: unknown): CaziError | null {
  if (error instanceof CaziError) return error.code in problemStatus ? error : null;
  return error instanceof Error && "code" in error ? ofFramework(error as FastifyError) : null;
}

function ofFramework(error: FastifyError): CaziError | null {
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Rejection("BODY_TOO_LARGE", `The body of the request is larger than ${bodyBytesMax} bytes.`);
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
    case "FST_ERR_CTP_INVALID_TYPE":
      return new Rejection(
        "UNSUPPORTED_MEDIA_TYPE",
        "The Content-Type of the body is not one that is read here.",
        {
          hint: "Send application/json, or a spec as application/yaml.",
        },
      );
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new Rejection("BODY_INVALID", "The body cannot be read as JSON.");
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return new Rejection("REQUEST_INVALID", "The address of the request is not a valid one.");
    default:
      return null;
  }
}
