import type { FastifyError } from "fastify";
import type { z } from "zod";
import type { Problem } from "../../../schemas/api/problem.ts";
import { pointerTo } from "../../domain/spec/jsonPointer.ts";
import { nearestName } from "../../domain/spec/nearestName.ts";
import { CaziError, type ErrorDetail, Rejection } from "../../kernel/errors.ts";
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
    type: `urn:cazi:problem:${of.code.toLowerCase().replaceAll("_", "-")}`,
    title: sentence(of.code),
    status,
    detail: of.detail,
    code: of.code,
    correlation_id: of.correlationId,
  };
}

/** `TASK_NOT_FOUND` → `Task not found`. */
function sentence(code: string): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
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

/** What a schema found wrong with a part of a request. */
export function requestInvalid(part: string, error: z.core.$ZodError, known: readonly string[]): Rejection {
  const details = error.issues.flatMap((issue): ErrorDetail[] => {
    if (issue.code !== "unrecognized_keys") {
      return [{ pointer: pointerTo(issue.path), message: issue.message }];
    }
    return issue.keys.map((key) => {
      const nearest = nearestName(key, known);
      const advice =
        nearest === null ? `known are ${known.join(", ") || "none"}` : `did you mean ${nearest}?`;
      return { pointer: pointerTo([...issue.path, key]), message: `is not known here; ${advice}` };
    });
  });
  const [first] = details;
  return new Rejection(
    "REQUEST_INVALID",
    `The ${part} is invalid: ${first?.pointer ?? ""} ${first?.message ?? ""}.`,
    {
      details,
    },
  );
}
