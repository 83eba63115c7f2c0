/** Keys that workload tokens are signed with, as operators see them, and what verifiers read at `/.well-known`. */
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

export const signingKey = z
  .object({
    kid: z.string().describe("Key id: the thumbprint of the public half (RFC 7638)."),
    state: z
      .enum(["next", "active", "retiring", "retired", "revoked"])
      .describe(
        "next: published, signs later. active: signs. retiring: published until its last token has ended. retired: not published. revoked: not published, and what it signed is refused.",
      ),
    created_at: timestamp,
    signs_from: timestamp.describe("When it signs, or began to."),
    until: timestamp.nullable().describe("When this state ends; null where nothing is planned."),
    revoked_at: timestamp.nullable(),
    revoked_by: z.string().nullable().describe("The actor."),
  })
  .meta({ description: "A key that workload tokens are signed with." });
export type SigningKey = z.output<typeof signingKey>;

export const signingKeyParams = z.object({
  kid: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, { error: "must be a key id" })
    .describe("A key id."),
});

export const signingKeyList = z.object({ data: z.array(signingKey) });
export type SigningKeyList = z.output<typeof signingKeyList>;

export const rotateKeysRequest = z.strictObject({
  now: z
    .boolean()
    .default(false)
    .describe("Signs at once, before all verifiers have the new key: for a key that is no longer trusted."),
  replaces: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "Key id that shall sign no more, so that the same request twice is one rotation; null: the active one.",
    ),
});

export const jsonWebKeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: z.string(),
      kid: z.string(),
      use: z.literal("sig"),
      alg: z.string(),
    }),
  ),
});

export const discoveryDocument = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  authorization_endpoint: z.string(),
  response_types_supported: z.array(z.string()),
  subject_types_supported: z.array(z.string()),
  id_token_signing_alg_values_supported: z.array(z.string()),
  claims_supported: z.array(z.string()),
});
