import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { tempHome } from "../../test/support/tempHome.ts";
import { findServer } from "./findServer.ts";

const home = tempHome();
afterEach(() => home.remove());

const config = (rest: { url?: string; token?: string } = {}) => ({
  home: home.path,
  url: "",
  token: "",
  ...rest,
});

describe("findServer", () => {
  it("says what to do when nothing runs, and otherwise keeps the home's token on this machine", () => {
    expect(() => findServer(config())).toThrow(
      expect.objectContaining({ code: "NOT_RUNNING", message: expect.stringContaining("npm start") }),
    );

    writeFileSync(join(home.path, "url"), "http://127.0.0.1:7070\n");
    writeFileSync(join(home.path, "token"), "secret\n");
    expect(findServer(config())).toEqual({ url: "http://127.0.0.1:7070", token: "secret" });
    expect(findServer(config({ url: "http://localhost:1" })).token).toBe("secret");
    expect(findServer(config({ token: "mine" })).token).toBe("mine");

    for (const url of ["https://cazi.example", "http://127.0.0.1.example", "http://10.0.0.1"]) {
      expect(() => findServer(config({ url })), url).toThrow(
        expect.objectContaining({ code: "TOKEN_MISSING" }),
      );
    }
    // A header cannot carry it, and the failure would print it.
    expect(() => findServer(config({ token: "a\nb" }))).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.not.stringContaining("a\nb") }),
    );
    expect(() => findServer(config({ url: "file:///etc/passwd", token: "x" }))).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
