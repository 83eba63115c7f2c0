/**
 * `npx tsx test/support/clientTypes.ts`: writes the types of the API's client from the OpenAPI document. A test fails
 * when they are stale.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { apiFixture } from "../../services/control-plane/testing/apiFixture.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";

export const clientTypesFile = join(projectRoot, "services/kernel/client/generated/openapi.ts");

const HEAD = `/**
 * The API as types. Generated from its OpenAPI document by \`npx tsx test/support/clientTypes.ts\`; never edited.
 */
`;

/** The text of the file. */
export async function clientTypes(): Promise<string> {
  const { ask, app } = await apiFixture();
  try {
    const document = (await ask("GET", "/openapi.json")).raw.toString();
    // What has a default may be left out by a caller: the document says so of requests by their own components.
    return HEAD + astToString(await openapiTS(document, { defaultNonNullable: false }));
  } finally {
    await app.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(clientTypesFile, await clientTypes());
}
