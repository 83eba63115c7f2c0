import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretForms } from "./secretForms.ts";
import { SecretMasker, SecretSet } from "./secretMasker.ts";

const setOf = (...values: readonly string[]) =>
  new SecretSet(secretForms(values.map((text) => Buffer.from(text))));

function maskAll(secrets: SecretSet, chunks: readonly Buffer[]): string {
  const masker = new SecretMasker(secrets);
  const parts = [...chunks.flatMap((chunk) => masker.push(chunk, 0)), ...masker.end()];
  return Buffer.concat(parts.map(({ bytes }) => bytes)).toString("latin1");
}
const mask = (secrets: SecretSet, text: string) =>
  Buffer.from(maskAll(secrets, [Buffer.from(text)]), "latin1").toString();

const secret = 's3cr3t/Tok+"en é?!';
const pem = `-----BEGIN KEY-----\n${"QUJD".repeat(16)}\n${"WFla".repeat(16)}\n-----END KEY-----\n`;

describe("what is masked", () => {
  const json = JSON.stringify(secret).slice(1, -1);
  it.each([
    ["the value", secret],
    ["base64", Buffer.from(secret).toString("base64")],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["hex", Buffer.from(secret).toString("hex")],
    ["upper-case hex", Buffer.from(secret).toString("hex").toUpperCase()],
    ["URL escapes", encodeURIComponent(secret)],
    ["a form's escapes", encodeURIComponent(secret).replaceAll("%20", "+")],
    ["JSON", json],
    ["URL escapes as Python has them", encodeURIComponent(secret).replace("!", "%21")],
    ["JSON within JSON", JSON.stringify(json).slice(1, -1)],
    ["JSON in ASCII", json.replace("é", "\\u00e9")],
  ])("is %s", (_what, text) => {
    expect(mask(setOf(secret), `before ${text} after`)).toBe(
      `before ${"*".repeat(Buffer.byteLength(text))} after`,
    );
  });

  it("is its core in the base64 of something around it, such as a header for basic authentication", () => {
    for (const user of ["a", "ab", "abc", "abcd"]) {
      const text = Buffer.from(`${user}:hunter2hunter2!`).toString("base64");
      const shown = mask(setOf("hunter2hunter2"), `Authorization: Basic ${text}`);
      expect(shown.length).toBe(text.length + 21);
      expect(Buffer.from(shown.slice(21).replaceAll("*", "A"), "base64").toString()).not.toContain("unter");
      expect(shown.match(/\*/g)!.length).toBeGreaterThanOrEqual(16);
    }
  });

  it("is each line of a file, whatever is before it, and any long part of one; line ends stay", () => {
    expect(mask(setOf(pem), pem)).toBe(
      `${"*".repeat(19)}\n${"*".repeat(64)}\n${"*".repeat(64)}\n${"*".repeat(17)}\n`,
    );
    expect(mask(setOf(pem), `  | ${"WFla".repeat(16)}`)).toBe(`  | ${"*".repeat(64)}`);
    const long = Array.from({ length: 200 }, (_, index) => String.fromCharCode(97 + ((index * 7) % 26))).join(
      "",
    );
    expect(mask(setOf(long), long.slice(48, 160))).toMatch(/^\*{96,}/);
  });

  it("is what a value within a file of settings is, when a program reads the file and prints it", () => {
    const key = `-----BEGIN KEY-----\n${"QUJD".repeat(16)}\n-----END KEY-----\n`;
    const json = JSON.stringify({ type: "a", private_key: key, nested: [{ password: "hunter2hunter2" }] });
    expect(mask(setOf(json), key)).not.toMatch(/[A-Z]/);
    expect(mask(setOf(json), "login hunter2hunter2 ok")).toBe(`login ${"*".repeat(14)} ok`);
    const settings = setOf(
      "# of the database\nexport PGPASSWORD='hunter2hunter2'\npassword: correct horse\nTLS=on\n",
    );
    expect(mask(settings, "hunter2hunter2, correct horse, on")).toBe(
      `${"*".repeat(14)}, ${"*".repeat(13)}, on`,
    );
    expect(mask(setOf('{"broken": "hunter2hunter2"'), "hunter2hunter2")).toBe("hunter2hunter2");
  });

  it("is base64 in the lines that programs make of it, of a value with and without its last newline", () => {
    const long = Array.from({ length: 150 }, (_, at) => String.fromCharCode(33 + ((at * 7) % 90))).join("");
    for (const columns of [64, 76]) {
      for (const bytes of [long, `${long}\n`]) {
        const printed = Buffer.from(bytes)
          .toString("base64")
          .replace(new RegExp(`.{${columns}}`, "g"), "$&\n");
        const left = mask(setOf(long), printed).replace(/[*\n]/g, "");
        // At the very end there may be some that hold the newline as well.
        expect(left.length, `${columns}: ${left}`).toBeLessThanOrEqual(4);
      }
    }
  });

  it("is both of two that overlap", () => {
    expect(mask(setOf("abcdefgh", "efghijkl"), "-abcdefghijkl-")).toBe(`-${"*".repeat(12)}-`);
  });

  it("is nothing of a value that is too short to be one, and nothing where there are none", () => {
    expect(mask(setOf("true", ""), "true")).toBe("true");
    expect(mask(setOf(), secret)).toBe(secret);
  });
});

describe("a stream that is masked", () => {
  const secrets = setOf(secret, "abababc", pem);
  const text = fc
    .array(
      fc.constantFrom(
        secret,
        "abababc",
        "abab",
        "s3cr3t",
        "\n",
        "x",
        pem,
        Buffer.from(secret).toString("hex"),
        Buffer.from(secret).toString("base64"),
        JSON.stringify(secret),
        encodeURIComponent(secret),
      ),
    )
    .map((parts) => Buffer.from(parts.join("")));
  const cuts = fc.array(fc.nat(2_000), { maxLength: 12 });
  const chunked = (bytes: Buffer, places: readonly number[]) => {
    const at = [0, ...places.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
    return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
  };

  it("looks the same however it is cut, has as many bytes, and shows no secret", () => {
    fc.assert(
      fc.property(text, cuts, (bytes, places) => {
        const shown = maskAll(secrets, chunked(bytes, places));
        expect(shown).toBe(maskAll(secrets, [bytes]));
        expect(shown.length).toBe(bytes.length);
        expect(Buffer.from(shown, "latin1").includes(secret)).toBe(false);
        for (const form of ["base64", "hex"] as const)
          expect(shown).not.toContain(Buffer.from(secret).toString(form));
        expect(shown).not.toContain(encodeURIComponent(secret));
        expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(shown.replaceAll("*", "")).not.toContain("abababc");
      }),
    );
  });

  it("looks the same from any place on, given what is right before it", () => {
    fc.assert(
      fc.property(text, fc.nat(2_000), cuts, (bytes, place, places) => {
        const from = Math.min(place, bytes.length);
        const masker = new SecretMasker(secrets);
        masker.prime(bytes.subarray(Math.max(0, from - secrets.reach), from));
        const parts = chunked(bytes.subarray(from), places).flatMap((chunk) => masker.push(chunk, 0));
        const shown = Buffer.concat([...parts, ...masker.end()].map((part) => part.bytes)).toString("latin1");
        expect(shown).toBe(maskAll(secrets, [bytes]).slice(from));
      }),
    );
  });

  it("holds back only what may be the beginning of a secret, and keeps the time of each part", () => {
    const masker = new SecretMasker(setOf("hunter2hunter2"));
    expect(text_(masker.push(Buffer.from("Password: hunter"), 1))).toEqual(["1 Password: "]);
    expect(text_(masker.push(Buffer.from("2hunter2 ok"), 2))).toEqual(["1 ******", "2 ******** ok"]);
    expect(text_(masker.push(Buffer.from("hunt!"), 3))).toEqual(["3 hunt!"]);
  });

  it("masks the beginning of a secret where the output ends, and gives back what is too short to be told", () => {
    expect(mask(setOf("hunter2hunter2"), "x hunter2h")).toBe("x ********");
    expect(mask(setOf("hunter2hunter2"), "x hun")).toBe("x hun");
  });
});

const text_ = (parts: readonly { bytes: Uint8Array; at: number }[]) =>
  parts.map(({ bytes, at }) => `${at} ${Buffer.from(bytes).toString()}`);
