/** What servers of the API say to each other on a core subject: that they are there. */
import { z } from "zod";

export const apiServerNotice = z.object({
  /** Of the process; another one after a restart. */
  server: z.string(),
  /** It ends now. */
  leaving: z.boolean(),
});
export type ApiServerNotice = z.output<typeof apiServerNotice>;
