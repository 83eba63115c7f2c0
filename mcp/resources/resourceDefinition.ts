/** A resource, or a family of them by a URI template, free of any protocol. */
import type { ApiClient } from "../../services/kernel/client/apiClient.ts";
import type { Call } from "../call.ts";
import type { Completer } from "../completeArgument.ts";

/** What a resource holds: text, or bytes in base64. */
export type ResourceBody = {
  readonly mimeType?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
} & ({ readonly text: string } | { readonly blob: string });

export interface ResourceDefinition {
  /**
   * Such as `cazi://tasks/{id}/logs{?cursor,stream}`: a `{name}` is one whole part of the path, a `{?a,b}` at the
   * end names what a query may hold. Without either it is one resource, and is listed as such.
   */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Where values for a variable come from. */
  readonly completes?: Readonly<Record<string, Completer>>;
  /**
   * @param params the template's variables as the URI gives them
   * @throws Rejection or Retryable with the API's code
   */
  read(client: ApiClient, params: Readonly<Record<string, string>>, call: Call): Promise<ResourceBody>;
}

/** True for one resource, false for a family of them. */
export function isPlain(definition: Pick<ResourceDefinition, "uriTemplate">): boolean {
  return !definition.uriTemplate.includes("{");
}

/** A value as JSON. */
export function jsonBody(value: object): ResourceBody {
  return { text: JSON.stringify(value), mimeType: "application/json" };
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ListedPage {
  readonly resources: readonly ListedResource[];
  readonly nextCursor: string | null;
}
