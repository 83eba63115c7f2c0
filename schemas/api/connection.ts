/** Stored secrets for tasks, as the API takes and shows them: a value goes in and never comes out. */
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

/** All values of one connection together, before base64. A grant of 16 of them fits into one message. */
export const connectionBytesMax = 24 * 1024;
const variablesMax = 64;
const filesMax = 32;

export const connectionName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
    error: "must be 1 to 63 of a-z, 0-9, '-' and '_', beginning with a letter or digit",
  })
  .describe("The connection's name.");

export const connectionParams = z.object({ name: connectionName });

const variable = z
  .string()
  .max(128)
  .regex(/^(?!CAZI_)[A-Za-z_][A-Za-z0-9_]*$/, {
    error: "must be a name of letters, digits and '_' that does not begin with a digit, nor with CAZI_",
  });

const filePath = z
  .string()
  .max(128)
  .regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+){0,7}$/, {
    error: "must be a path such as tls/key.pem: letters, digits, '.', '_', '-', and no '..'",
  });

/** As references to images have it; Docker Hub is `docker.io`. */
const registryHost = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[1-9]\d{0,4})?$/, {
    error: "must be the registry's host or host:port, as images name it, such as ghcr.io",
  });

const noLine = /^[^\r\n\0]*$/;

export const putConnection = z
  .strictObject({
    environment: z
      .record(
        variable,
        z
          .string()
          .min(1)
          .regex(/^[^\0]*$/, { error: "cannot hold a zero byte" }),
      )
      .default({})
      .describe("Variables of the container, by name."),
    files: z
      .record(filePath, z.base64({ error: "must be the content in base64" }))
      .default({})
      .describe("Files below /run/secrets/cazi/<connection> in the container: content in base64, by path."),
    registry: z
      .strictObject({
        host: registryHost.describe("The registry, as images name it."),
        username: z.string().min(1).max(256).regex(noLine, { error: "must be one line" }),
        password: z.string().min(1).max(8192).regex(noLine, { error: "must be one line" }),
      })
      .nullable()
      .default(null)
      .describe("Credentials for pulling images; they do not reach the container."),
    description: z.string().max(256).nullable().default(null).describe("What it is for; no secret."),
  })
  .check(({ value, issues }) => {
    const fault = (message: string) => issues.push({ code: "custom", message, input: null, path: [] });
    const { environment, files, registry } = value;
    const [variables, contents] = [Object.values(environment), Object.values(files)];
    if (variables.length === 0 && contents.length === 0 && registry === null) {
      fault("holds no value: give environment, files or registry");
    }
    if (variables.length > variablesMax) fault(`has more than ${variablesMax} variables`);
    if (contents.length > filesMax) fault(`has more than ${filesMax} files`);
    const bytes =
      variables.reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
      contents.reduce((sum, text) => sum + Math.ceil((text.length * 3) / 4), 0);
    if (bytes > connectionBytesMax) fault(`holds more than ${connectionBytesMax} bytes`);
  });
export type PutConnection = z.input<typeof putConnection>;

export const connection = z
  .object({
    name: connectionName,
    kind: z
      .enum(["secrets", "registry"])
      .describe("registry: only credentials for pulls; secrets: variables or files of the container."),
    version: z.number().int().describe("Grows with each change."),
    environment: z.array(z.string()).describe("Names of the variables that it sets."),
    files: z.array(z.string()).describe("Paths of its files."),
    registry: z.object({ host: z.string(), username: z.string() }).nullable(),
    description: z.string().nullable(),
    created_at: timestamp,
    created_by: z.string(),
    updated_at: timestamp,
    updated_by: z.string(),
  })
  .meta({ description: "A stored connection: what it is for, without its values." });
export type ApiConnection = z.output<typeof connection>;

export const connectionList = z.object({ data: z.array(connection) });

export const removeConnectionQuery = z.strictObject({
  forget: z
    .enum(["true", "false"])
    .default("false")
    .describe(
      "true: also destroys what is kept, sealed, to mask it in output of the tasks that used it; their output may show it then.",
    ),
});
