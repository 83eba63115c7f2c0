/** What Cazi uses of the system: how to see that it is there, what it is for, and what installs it. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";

/**
 * @typedef {object} SystemPart
 * @property {string} name
 * @property {string} purpose completes "… is missing; it "
 * @property {readonly string[]} packages Debian's
 * @property {string} elsewhere what to do on other systems
 * @property {boolean} required whether Cazi cannot run without it
 * @property {(env: Record<string, string | undefined>) => boolean | Promise<boolean>} isPresent
 * @property {() => void} [beforeInstall]
 */

/** @type {SystemPart} */
export const natsServer = {
  name: "nats-server",
  purpose: "keeps the ledger",
  packages: ["nats-server"],
  elsewhere: "`brew install nats-server`, or see https://nats.io/download; or set NATS_URL to a server",
  required: true,
  isPresent: (env) => Boolean(env.NATS_URL) || isProgram("nats-server", env),
};

/** @type {SystemPart} */
export const dockerEngine = {
  name: "a Docker engine",
  purpose: "runs the containers",
  // Without the certificates no registry can be reached; without the mounts there are no limits.
  packages: ["docker.io", "iptables", "ca-certificates", "cgroupfs-mount"],
  elsewhere:
    "install Docker from https://docs.docker.com/get-docker and start it; or set DOCKER_HOST to an engine",
  required: false,
  isPresent: async (env) =>
    Boolean(env.DOCKER_HOST) || isProgram("dockerd", env) || (await answers("/var/run/docker.sock")),
};

/** @type {SystemPart} */
export const staticBusybox = {
  name: "busybox-static",
  purpose: "is the content of the local image that the examples use",
  packages: ["busybox-static"],
  elsewhere: "put a static busybox at /usr/bin/busybox; tasks with images of a registry run without it",
  required: false,
  isPresent: () => ["/bin/busybox", "/usr/bin/busybox"].some(isStaticProgram),
};

/** @type {SystemPart} */
export const nativePostgres = {
  name: "a native Postgres",
  purpose: "is what the tests compare the embedded one with",
  packages: ["postgresql"],
  elsewhere: "tests that need it are skipped without it",
  required: false,
  beforeInstall: keepOutMainCluster,
  isPresent: () =>
    existsSync("/usr/lib/postgresql") &&
    readdirSync("/usr/lib/postgresql").some((version) =>
      existsSync(join("/usr/lib/postgresql", version, "bin", "initdb")),
    ),
};

/** @type {SystemPart} */
export const imageRegistry = {
  name: "docker-registry",
  purpose: "is what the tests pull images from",
  packages: ["docker-registry"],
  elsewhere: "tests that need it are skipped without it",
  required: false,
  isPresent: (env) => isProgram("docker-registry", env),
};

/** @type {SystemPart} */
export const networkTools = {
  name: "ip",
  purpose: "gives the NATS servers of fault tests networks that can be cut",
  packages: ["iproute2"],
  elsewhere: "faults of a cluster need Linux and iproute2",
  required: false,
  isPresent: (env) => isProgram("ip", env),
};

/** @type {SystemPart} */
export const openSsl = {
  name: "openssl",
  purpose: "makes the certificates that the tests encrypt NATS with",
  packages: ["openssl"],
  elsewhere: "install OpenSSL; tests of encryption need `openssl` on the PATH",
  required: false,
  isPresent: (env) => isProgram("openssl", env),
};

/** @type {SystemPart} */
export const redisServer = {
  name: "redis-server",
  purpose: "is what the bench of peers runs BullMQ on",
  packages: ["redis-server"],
  elsewhere: "install Redis; the bench of peers needs `redis-server` on the PATH",
  required: false,
  isPresent: (env) => isProgram("redis-server", env),
};

/** Debian's package would start a database of its own on 5432: only the programs are wanted. */
function keepOutMainCluster() {
  const folder = "/etc/postgresql-common";
  if (existsSync(folder)) return;
  mkdirSync(folder);
  writeFileSync(join(folder, "createcluster.conf"), "create_main_cluster = false\n");
}

/**
 * @param {string} name
 * @param {Record<string, string | undefined>} env
 */
function isProgram(name, env) {
  return [...(env.PATH ?? "").split(delimiter), "/usr/local/sbin", "/usr/sbin", "/sbin"].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** @param {string} socketPath */
function answers(socketPath) {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (/** @type {boolean} */ value) => {
      socket.destroy();
      resolve(value);
    };
    // A socket that this user may not use is there all the same: installing would not help.
    socket.once("error", (error) => end(/** @type {NodeJS.ErrnoException} */ (error).code === "EACCES"));
    socket.once("connect", () => end(true));
  });
}

/**
 * A quick look; the local image's maker looks closely. A dynamic program names its loader in its first page.
 * @param {string} path
 */
function isStaticProgram(path) {
  try {
    const file = openSync(path, "r");
    const head = Buffer.alloc(4_096);
    readSync(file, head, 0, head.length, 0);
    closeSync(file);
    return head.readUInt32BE(0) === 0x7f454c46 && !head.includes("/ld-linux") && !head.includes("/ld-musl");
  } catch {
    return false;
  }
}
