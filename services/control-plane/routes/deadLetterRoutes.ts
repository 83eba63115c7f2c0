import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  deadLetter,
  deadLetterPage,
  deadLetterParams,
  deadLetterWhole,
  listDeadLettersQuery,
} from "../../../schemas/api/deadLetter.ts";
import { headers } from "../../../schemas/api/headers.ts";
import { Rejection } from "../../kernel/errors.ts";
import {
  deadLetterOf,
  dropDeadLetter,
  pageOfDeadLetters,
  resendDeadLetter,
} from "../deadLetters/deadLetterViews.ts";
import { principalOf, whoIs } from "../http/authenticate.ts";
import { readQuery } from "../http/readRequest.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";

const tags = ["dead letters"];
const ofOne = ["DEAD_LETTER_NOT_FOUND", "DEAD_LETTERS_UNAVAILABLE"];

/** Messages that could never be handled: to look at, to send again, to drop. */
export async function deadLetterRoutes(
  app: FastifyInstance,
  { dead }: Pick<ApiPorts, "dead">,
): Promise<void> {
  app.get("/v1/dead-letters", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "list_dead_letters",
      summary: "List dead letters, the oldest first",
      description:
        "Those of the caller's tenant; what belongs to no tenant is for an admin of the installation. A page may be short and have a next one.",
      tags,
      querystring: listDeadLettersQuery,
      problems: ["REQUEST_INVALID", "CURSOR_INVALID", "DEAD_LETTERS_UNAVAILABLE"],
      answers: { 200: { about: "A page of them.", content: { "application/json": deadLetterPage } } },
    }),
    handler: (request) =>
      pageOfDeadLetters(dead, principalOf(request), readQuery(listDeadLettersQuery, request)),
  });

  app.get("/v1/dead-letters/:id", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "get_dead_letter",
      summary: "One dead letter, whole",
      tags,
      params: deadLetterParams,
      problems: ["REQUEST_INVALID", ...ofOne],
      answers: { 200: { about: "The letter.", content: { "application/json": deadLetterWhole } } },
    }),
    handler: async (request) => {
      readQuery(z.strictObject({}), request);
      return deadLetterOf(dead, principalOf(request), idOf(request));
    },
  });

  app.post("/v1/dead-letters/:id/resend", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "resend_dead_letter",
      summary: "Send a dead letter on its way again",
      description:
        "A report goes back to where reports are read. A sink is tried again by its schedule, under the id that it always had; the task then shows it as delivered, and the letter is gone.",
      tags,
      params: deadLetterParams,
      problems: ofOne,
      answers: { 202: { about: "It is under way.", content: { "application/json": deadLetter } } },
    }),
    handler: async (request, reply) => {
      const caller = principalOf(request);
      const who = whoIs(caller, request.headers[headers.route.toLowerCase()]);
      return reply.code(202).send(await resendDeadLetter(dead, { caller, who }, idOf(request)));
    },
  });

  app.delete("/v1/dead-letters/:id", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "drop_dead_letter",
      summary: "Remove a dead letter for good",
      tags,
      params: deadLetterParams,
      problems: ofOne,
      answers: { 204: { about: "It is gone.", content: {} } },
    }),
    handler: async (request, reply) => {
      await dropDeadLetter(dead, principalOf(request), idOf(request));
      return reply.code(204).send();
    },
  });
}

function idOf(request: FastifyRequest): string {
  const read = deadLetterParams.safeParse(request.params);
  if (read.success) return read.data.id;
  throw new Rejection("DEAD_LETTER_NOT_FOUND", "There is no such dead letter.", {
    hint: "`cazi dead list` shows those that there are.",
  });
}
