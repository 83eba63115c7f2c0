/** Dead letters of the API as functions. */
import type { ApiDeadLetter, ApiDeadLetterWhole } from "../../../schemas/api/deadLetter.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { Http } from "./http.ts";

export interface DeadLettersClient {
  listDeadLetters(options?: {
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  }): Promise<Page<ApiDeadLetter>>;
  getDeadLetter(id: string): Promise<ApiDeadLetterWhole>;
  resendDeadLetter(id: string): Promise<ApiDeadLetter>;
  dropDeadLetter(id: string): Promise<void>;
}

export function deadLettersClient({ call }: Pick<Http, "call">): DeadLettersClient {
  const of = (id: string) => ({ params: { path: { id } } });
  return {
    listDeadLetters: ({ limit, cursor } = {}) => {
      const query = {
        ...(limit === undefined ? {} : { limit }),
        ...(cursor === undefined ? {} : { cursor }),
      };
      return call((api) => api.GET("/v1/dead-letters", { params: { query } }));
    },
    getDeadLetter: (id) => call((api) => api.GET("/v1/dead-letters/{id}", of(id))),
    resendDeadLetter: (id) => call((api) => api.POST("/v1/dead-letters/{id}/resend", of(id))),
    dropDeadLetter: async (id) => {
      await call((api) => api.DELETE("/v1/dead-letters/{id}", of(id)));
    },
  };
}
