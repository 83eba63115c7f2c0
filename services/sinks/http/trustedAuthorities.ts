import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { Rejection } from "../../kernel/errors.ts";

/**
 * Who may sign the certificate of a sink's target: the authorities that everybody trusts, and those of a file.
 * @param file PEM; "" for none
 * @returns undefined where there is no file: then the platform's own list is in force
 * @throws Rejection `SINK_CA_INVALID` naming the file
 */
export function trustedAuthorities(file: string): SecureContext | undefined {
  if (file === "") return undefined;
  try {
    const own = readFileSync(file, "utf8");
    if (!own.includes("-----BEGIN CERTIFICATE-----")) throw new Error("it holds no certificate");
    return createSecureContext({ ca: [...rootCertificates, own] });
  } catch (cause) {
    throw new Rejection(
      "SINK_CA_INVALID",
      `CAZI_SINK_CA ${file} cannot be used: ${(cause as Error).message}.`,
      {
        hint: "Give a file with the certificates of the authorities in PEM.",
        cause,
      },
    );
  }
}
