import { expect, it } from "vitest";
import { advice } from "./ensureSystemParts.mjs";
import { dockerEngine, natsServer } from "./systemParts.mjs";

it("says what is missing, what for, and the command of this platform, in one sentence", () => {
  expect(advice(natsServer, "linux", true)).toBe(
    "Missing: nats-server, which keeps the ledger; run `sudo apt-get install nats-server`.",
  );
  expect(advice(natsServer, "darwin", false)).toContain("`brew install nats-server`");
  expect(advice(dockerEngine, "linux", false)).toContain("https://docs.docker.com/get-docker");
});

it("takes a server that was named for one that is there", async () => {
  expect(await natsServer.isPresent({ NATS_URL: "nats://elsewhere", PATH: "" })).toBe(true);
  expect(await dockerEngine.isPresent({ DOCKER_HOST: "tcp://elsewhere", PATH: "" })).toBe(true);
});
