import { expect, it } from "vitest";
import { clientOptions } from "./dockerClient.ts";

it("reads every form of DOCKER_HOST", () => {
  expect(clientOptions("")).toEqual({ socketPath: "/var/run/docker.sock" });
  expect(clientOptions("unix:///run/user/1000/docker.sock")).toEqual({
    socketPath: "/run/user/1000/docker.sock",
  });
  expect(clientOptions("tcp://10.0.0.5:2376")).toEqual({ protocol: "http", host: "10.0.0.5", port: 2376 });
  expect(clientOptions("tcp://engine")).toEqual({ protocol: "http", host: "engine", port: 2375 });
});
