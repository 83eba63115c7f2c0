import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { choosePort } from "./choosePort.ts";

const host = "127.0.0.1";
const server = createServer();
let taken: number;
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  taken = (server.address() as AddressInfo).port;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it("moves up from a default port that is taken", async () => {
  expect(await choosePort({ host, port: taken, explicit: false })).toBeGreaterThan(taken);
});

it("refuses a port that was asked for and is taken", async () => {
  await expect(choosePort({ host, port: taken, explicit: true })).rejects.toMatchObject({
    code: "PORT_TAKEN",
  });
});

it("gives any free port for 0", async () => {
  expect(await choosePort({ host, port: 0, explicit: true })).toBeGreaterThan(0);
});
