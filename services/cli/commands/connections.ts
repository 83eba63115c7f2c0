import { createReadStream } from "node:fs";
import type { ApiConnection, PutConnection } from "../../../schemas/api/connection.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { type Column, fields } from "../output/table.ts";
import { printPage } from "./printPage.ts";

interface SetOptions {
  readonly env?: readonly string[];
  readonly file?: readonly string[];
  readonly registry?: string;
  readonly username?: string;
  readonly passwordStdin?: true;
  readonly description?: string;
  readonly output: Format;
}

/** Above the server's own limit, so that the server gives the reason. */
const valueBytesMax = 256 * 1024;

const columns: readonly Column<ApiConnection>[] = [
  { title: "NAME", cell: (one) => one.name },
  { title: "KIND", cell: (one) => one.kind },
  { title: "SETS", cell: targets },
  { title: "UPDATED", cell: (one) => one.updated_at },
  { title: "BY", cell: (one) => one.updated_by },
];

export async function connectionList(
  context: CliContext,
  options: { readonly output: Format },
): Promise<number> {
  const { data } = await connect(context).listConnections();
  await printPage(context.output, options.output, { page: { data, next_cursor: null }, columns });
  return exitCodes.ok;
}

export async function connectionShow(
  context: CliContext,
  name: string,
  options: { readonly output: Format },
): Promise<number> {
  await show(context, await connect(context).getConnection(name), options.output);
  return exitCodes.ok;
}

/** @throws Rejection `USAGE` for a value among the arguments: everybody on the machine may see those */
export async function connectionSet(context: CliContext, name: string, options: SetOptions): Promise<number> {
  const [env, files] = [(options.env ?? []).map(sourceOf), (options.file ?? []).map(sourceOf)];
  const readers = [...env, ...files].filter(({ file }) => file === "-").length;
  if (readers + (options.passwordStdin ? 1 : 0) > 1) {
    throw new Rejection("USAGE", "only one value can be read from standard input", {
      hint: "Put the others into files, such as --env NAME=@file.",
    });
  }
  const environment: Record<string, string> = {};
  for (const { target, file } of env)
    environment[target] = oneLine(await read(context, file)).toString("utf8");
  const contents: Record<string, string> = {};
  for (const { target, file } of files) contents[target] = (await read(context, file)).toString("base64");
  const stored = await connect(context).putConnection(name, {
    environment,
    files: contents,
    registry: await registryOf(context, options),
    description: options.description ?? null,
  });
  await show(context, stored, options.output);
  return exitCodes.ok;
}

export async function connectionRemove(
  context: CliContext,
  name: string,
  options: { readonly forget?: true },
): Promise<number> {
  await connect(context).removeConnection(name, { forget: options.forget === true });
  await context.output.message(`connection ${name} is removed`);
  return exitCodes.ok;
}

async function registryOf(context: CliContext, options: SetOptions): Promise<PutConnection["registry"]> {
  const { registry: host, username, passwordStdin } = options;
  if (host === undefined) {
    if (username === undefined && !passwordStdin) return null;
    throw new Rejection("USAGE", "--username and --password-stdin go with --registry");
  }
  if (username === undefined || !passwordStdin) {
    throw new Rejection("USAGE", "--registry needs --username and --password-stdin");
  }
  return { host, username, password: oneLine(await read(context, "-")).toString("utf8") };
}

function sourceOf(text: string): { readonly target: string; readonly file: string } {
  const found = /^([^=]+)=@(.+)$/s.exec(text);
  if (found !== null) return { target: found[1]!, file: found[2]! };
  const [target = "NAME"] = text.split("=");
  throw new Rejection("USAGE", `${target}: a value is not taken from the command line`, {
    hint: `Arguments are seen by everybody on this machine and kept in the shell's history. Write ${target}=@file, or ${target}=@- and give the value on standard input.`,
  });
}

/** What \`echo\` and editors add is no part of a password. */
function oneLine(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  return bytes.subarray(0, text.replace(/\r?\n$/, "").length);
}

async function read(context: CliContext, file: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of file === "-" ? context.stdin : createReadStream(file)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > valueBytesMax) throw new Error(`it has more than ${valueBytesMax} bytes`);
    }
  } catch (cause) {
    const name = file === "-" ? "standard input" : file;
    throw new Rejection("FILE_UNREADABLE", `${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
  return Buffer.concat(chunks);
}

async function show({ output }: CliContext, one: ApiConnection, format: Format): Promise<void> {
  const table = () =>
    fields([
      ["name", one.name],
      ["kind", one.kind],
      ["version", String(one.version)],
      ["sets", targets(one)],
      ["description", one.description],
      ["created", `${one.created_at} by ${one.created_by}`],
      ["updated", `${one.updated_at} by ${one.updated_by}`],
    ]);
  await output.data(await render(format, { value: one, table }));
}

function targets({ environment, files, registry }: ApiConnection): string {
  const login = registry === null ? [] : [`${registry.username} at ${registry.host}`];
  return [...environment, ...files, ...login].join(", ");
}
