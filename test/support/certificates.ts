/** Certificate authorities and certificates, valid for a day, as `<name>.pem` and `<name>.key` of a folder. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificates {
  authority(name: string): void;
  /** @param of.for what it names, such as `IP:127.0.0.1` */
  certificate(name: string, of: { readonly signedBy: string; readonly for: string }): void;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export function certificatesIn(folder: string): Certificates {
  const openssl = (...args: readonly string[]) => {
    execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  };
  return {
    authority: (name) => {
      const out = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
      openssl("req", "-x509", ...newKey, "-days", "1", "-subj", `/CN=${name}`, ...out);
    },
    certificate: (name, { signedBy, for: names }) => {
      openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}`);
      const signer = ["-CA", `${signedBy}.pem`, "-CAkey", `${signedBy}.key`, "-CAcreateserial"];
      const out = ["-extfile", `${name}.ext`, "-days", "1", "-out", `${name}.pem`];
      openssl("x509", "-req", "-in", `${name}.csr`, ...signer, ...out);
    },
  };
}
