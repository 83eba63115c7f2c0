import type { FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { taskParams } from "../../../schemas/api/taskRequests.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { principalOf } from "./authenticate.ts";
import { requestInvalid } from "./requestInvalid.ts";

/**
 * The query of a request by its schema.
 * @throws Rejection `REQUEST_INVALID` with a pointer for each thing wrong
 */
export function readQuery<T extends z.ZodObject>(schema: T, request: FastifyRequest): z.output<T> {
  const read = schema.safeParse(request.query);
  if (read.success) return read.data;
  throw requestInvalid({ name: "query", input: request.query, known: Object.keys(schema.shape) }, read.error);
}

/** The headers of a request that its schema names; others are let be. @throws as {@link readQuery} */
export function readHeaders<T extends z.ZodObject>(schema: T, request: FastifyRequest): z.output<T> {
  const read = schema.safeParse(request.headers);
  if (read.success) return read.data;
  throw requestInvalid(
    { name: "header", input: request.headers, known: Object.keys(schema.shape) },
    read.error,
  );
}

/** The body of a request by its schema; none counts as `{}`. @throws as {@link readQuery} */
export function readBody<T extends z.ZodObject>(schema: T, request: FastifyRequest): z.output<T> {
  const read = schema.safeParse(request.body ?? {});
  if (read.success) return read.data;
  throw requestInvalid({ name: "body", input: request.body, known: Object.keys(schema.shape) }, read.error);
}

/**
 * Which task the path names. What cannot be an id is no task.
 * @throws Rejection `TASK_NOT_FOUND`
 */
export function taskKeyOf(request: FastifyRequest): TaskKey {
  const read = taskParams.safeParse(request.params);
  if (!read.success) throw new Rejection("TASK_NOT_FOUND", "There is no such task.");
  return { tenant: principalOf(request).tenant, task: read.data.id };
}

/** Aborts when the client goes away before the answer is whole. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenOver(reply, () => controller.abort());
  return controller.signal;
}

/** Acts once the answer is out, or its reader gone; at once where it went before this was asked. */
export function whenOver(reply: FastifyReply, act: () => void): void {
  if (reply.raw.destroyed) act();
  else reply.raw.once("close", act);
}
