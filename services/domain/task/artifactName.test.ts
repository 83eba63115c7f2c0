import { describe, expect, it } from "vitest";
import { isRefusal } from "../refusal.ts";
import { artifactName } from "./artifactName.ts";

const isTaken = (text: string) => !isRefusal(artifactName(text));

describe("the name of an artifact", () => {
  it("is a relative path of any plain text", () => {
    for (const name of [
      "a",
      "report.csv",
      "out/größe ½ 日本.txt",
      ".hidden",
      "a..b",
      "a/.../b",
      "-rf",
      "x".repeat(255),
    ]) {
      expect(isTaken(name), name).toBe(true);
    }
  });

  it("leads nowhere else and says nothing twice", () => {
    for (const name of [
      "",
      "/etc/passwd",
      "..",
      "../x",
      "a/../b",
      "a/..",
      "./a",
      "a//b",
      "a/",
      "a\\b",
      "C:x",
      "c:/x",
      "out/C:x",
    ]) {
      expect(isTaken(name), name).toBe(false);
    }
  });

  it("is no device of Windows, whatever its ending", () => {
    for (const name of ["CON", "nul.txt", "a/aux", "com1", "Lpt9.tar.gz"]) {
      expect(isTaken(name), name).toBe(false);
    }
    for (const name of ["console", "nullable.txt", "com", "lpt10", "a.nul"]) {
      expect(isTaken(name), name).toBe(true);
    }
  });

  it("has no character that hides, breaks a line or turns text around", () => {
    for (const name of [
      "a\nb",
      "a\0",
      "a\x1b[31m",
      "a\x7f",
      "a\x9bb",
      "x\u202etxt.exe",
      "a\u2028b",
      "\ufeffa",
      "\ud800",
    ]) {
      expect(isTaken(name), JSON.stringify(name)).toBe(false);
    }
  });

  it("is bounded in length and depth", () => {
    expect(isTaken("x".repeat(256))).toBe(false);
    expect(isTaken(`${"y".repeat(200)}/${"y".repeat(200)}/${"y".repeat(200)}`)).toBe(false);
    expect(isTaken(Array(16).fill("d").join("/"))).toBe(true);
    expect(isTaken(Array(17).fill("d").join("/"))).toBe(false);
  });

  it("is one name however its letters are composed", () => {
    expect(artifactName("gro\u0308ße")).toBe(artifactName("größe"));
  });
});
