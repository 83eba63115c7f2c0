import { expect, it } from "vitest";
import { postgresSocketFolder } from "./startPostgres.ts";

it("keeps the socket in the home unless the path is too long for one", () => {
  expect(postgresSocketFolder("/home/me/.cazi/postgres", "/tmp")).toBe("/home/me/.cazi/postgres/socket");
  const long = `/home/${"x".repeat(100)}/postgres`;
  expect(postgresSocketFolder(long, "/tmp")).toMatch(/^\/tmp\/cazi-pg-[0-9a-f]{16}$/);
  expect(postgresSocketFolder(long, "/tmp")).not.toBe(postgresSocketFolder(`${long}2`, "/tmp"));
});
