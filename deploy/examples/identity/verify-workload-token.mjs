// A service that a task calls checks who is knocking: only the issuer's published keys are needed, nothing of Cazi.
//
//   node verify-workload-token.mjs https://cazi.example.com < token
//
// Prints what the token says, or ends with 1. `npm install jose` in a project of your own.
import { createRemoteJWKSet, jwtVerify } from "jose";

const issuer = process.argv[2];
const audience = process.argv[3] ?? issuer;
if (issuer === undefined) {
  console.error("usage: node verify-workload-token.mjs ISSUER [AUDIENCE] < token");
  process.exit(2);
}

let token = "";
for await (const chunk of process.stdin) token += chunk;

// Keys are kept between calls: in a service, make this once.
const discovery = await fetch(`${issuer}/.well-known/openid-configuration`).then((answer) => answer.json());
const keys = createRemoteJWKSet(new URL(discovery.jwks_uri));

try {
  const { payload } = await jwtVerify(token.trim(), keys, {
    issuer,
    audience,
    // Named here, never taken from the token.
    algorithms: ["EdDSA"],
    clockTolerance: 60,
  });
  console.log(JSON.stringify(payload, null, 2));
} catch (error) {
  console.error(`refused: ${error.code ?? error.message}`);
  process.exit(1);
}
