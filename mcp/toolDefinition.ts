/** A tool, free of any protocol: adapters turn it into what their protocol wants. */
import type { z } from "zod";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import type { ApiWords } from "./apiWords.ts";
import type { Call } from "./call.ts";
import type { ResourceLink } from "./resources/resourceLinks.ts";

/** What a client may assume of a tool; all four are always said, because unsaid means the worst. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface ToolDefinition {
  /** `verb_noun`, snake_case; never renamed once shipped. */
  readonly name: string;
  readonly title: string;
  /** What it does, what it changes, whether it is safe to repeat. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly inputSchema: z.ZodObject;
  readonly outputSchema: z.ZodObject;
  /** Where another tool's schema says what the members are: a sentence in place of their descriptions. */
  readonly outputAbout?: string;
  /** What the API calls otherwise than the arguments do; its refusals are told in the arguments' names. */
  readonly apiWords?: ApiWords;
  /** @param input what `inputSchema` gave */
  handler(client: ApiClient, input: unknown, call: Call): Promise<object>;
  /** What a client may read next, as links beside the result. */
  links?(value: object): readonly ResourceLink[];
}

/** Makes a {@link ToolDefinition} whose handler has the types of its schemas. */
export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(
  of: Omit<ToolDefinition, "handler" | "links" | "inputSchema" | "outputSchema"> & {
    readonly inputSchema: I;
    readonly outputSchema: O;
    handler(client: ApiClient, input: z.output<I>, call: Call): Promise<z.output<O>>;
    links?(value: z.output<O>): readonly ResourceLink[];
  },
): ToolDefinition {
  const { handler, links, ...rest } = of;
  return {
    ...rest,
    handler: (client, input, call) => handler(client, input as z.output<I>, call),
    ...(links === undefined ? {} : { links: (value: object) => links(value as z.output<O>) }),
  };
}

/** A tool that changes nothing. */
export const reads: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool that runs a container, which may do anything its network and mounts allow. */
export const runs: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};
