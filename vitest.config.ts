import { defineConfig } from "vitest/config";

/** They measure their own process, its memory or what it makes of errors, in which no other file may have run. */
const measuresItself = [
  "services/compartment/engine/health.int.test.ts",
  "services/kernel/artifacts/artifactStore.int.test.ts",
  "services/kernel/nats/spareErrors.int.test.ts",
  "services/node-agent/runtimes/docker/dockerNode.int.test.ts",
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{services,schemas,streams,mcp,deploy,test}/**/*.test.ts"],
          exclude: ["**/*.int.test.ts", "**/*.e2e.test.ts", "**/node_modules/**"],
          maxWorkers: 2,
          // A worker keeps the modules that it has loaded, which costs most of all here: no test may leave changed what
          // another one reads (process.env, fake timers, spies).
          isolate: false,
          // Against hanging only: on a busy machine a property's hundreds of runs take several times their second.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "integration",
          include: ["{services,schemas,streams,mcp,deploy,test}/**/*.int.test.ts"],
          exclude: [...measuresItself, "**/node_modules/**"],
          // As above: what the unit tests share, these share.
          isolate: false,
          // They wait for servers more than they compute; by itself the runner leaves one of two cores idle.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "integration-alone",
          include: measuresItself,
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/**/*.e2e.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Each file starts whole servers and containers; on two cores, two at a time only slow each other.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
