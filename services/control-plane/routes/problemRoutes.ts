import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ProblemPage, problemIndex, problemPage } from "../../../schemas/api/problemPage.ts";
import { problemPath, problems, problemTitle } from "../../../schemas/problems/catalogue.ts";
import { problemIndexMarkdown, problemMarkdown } from "../../../schemas/problems/problemPage.ts";
import { Rejection } from "../../kernel/errors.ts";
import { preferredType } from "../http/preferredType.ts";
import { problemHtml, problemIndexHtml } from "../http/problemHtml.ts";
import { routeSchema } from "../http/routeSchema.ts";

/** Text first: it is what a person with a plain client reads best. */
const FORMS = ["text/markdown", "application/json", "text/html"] as const;
const page = z.string();

/** The pages that problem documents lead to; no token, and nothing of any tenant. */
export async function problemRoutes(app: FastifyInstance): Promise<void> {
  const tags = ["problems"];
  app.get("/problems", {
    schema: routeSchema({
      operationId: "list_problems",
      summary: "Every stable code, and what it means",
      description: "As Markdown, JSON or HTML, by the header Accept.",
      tags,
      token: false,
      answers: {
        200: {
          about: "The catalogue.",
          content: { "text/markdown": page, "application/json": problemIndex, "text/html": page },
        },
      },
    }),
    handler: async (request, reply) =>
      sendForm(request, reply, {
        "text/markdown": problemIndexMarkdown,
        "application/json": () => JSON.stringify({ data: Object.keys(problems).map(pageOf) }),
        "text/html": problemIndexHtml,
      }),
  });

  app.get("/problems/:code", {
    schema: routeSchema({
      operationId: "get_problem",
      summary: "What a code means, and what to do",
      description: "As Markdown, JSON or HTML, by the header Accept.",
      tags,
      token: false,
      problems: ["NOT_FOUND"],
      params: z.object({ code: z.string().describe("A stable code, such as TASK_NOT_FOUND.") }),
      answers: {
        200: {
          about: "The page.",
          content: { "text/markdown": page, "application/json": problemPage, "text/html": page },
        },
      },
    }),
    handler: async (request, reply) => {
      const { code } = request.params as { readonly code: string };
      const text = Object.hasOwn(problems, code) ? problemMarkdown(code) : null;
      if (text === null) {
        throw new Rejection("NOT_FOUND", "There is no such code.", { hint: "/problems lists all of them." });
      }
      return sendForm(request, reply, {
        "text/markdown": () => text,
        "application/json": () => JSON.stringify(pageOf(code)),
        "text/html": () => problemHtml(code),
      });
    },
  });
}

function pageOf(code: string): ProblemPage {
  return { code, title: problemTitle(code), type: problemPath(code), ...problems[code]! };
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  forms: Readonly<Record<(typeof FORMS)[number], () => string>>,
): FastifyReply {
  const type = preferredType(request.headers.accept, FORMS) ?? "text/markdown";
  return reply.header("Vary", "Accept").type(`${type}; charset=utf-8`).send(forms[type]());
}
