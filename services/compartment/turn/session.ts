/** A session file: which turn this is, and nothing else. What a program should remember, its operator feeds back. */
import { existsSync, readFileSync } from "node:fs";
import { Rejection } from "../../kernel/errors.ts";
import { writeDurably } from "../jobs/manifest.ts";

interface SessionFile {
  readonly type: "cazi_agent_session";
  readonly schema_version: 1;
  readonly turn_id: number;
}

/**
 * The number of the turn that begins now, from 1.
 * @throws Rejection `SESSION_UNREADABLE` for a file that is something else: it is left as it is
 */
export function nextTurnId(path: string): number {
  if (!existsSync(path)) return 1;
  try {
    const session = JSON.parse(readFileSync(path, "utf8")) as SessionFile;
    if (session.type === "cazi_agent_session" && Number.isSafeInteger(session.turn_id))
      return session.turn_id + 1;
  } catch {
    // Told below.
  }
  throw new Rejection("SESSION_UNREADABLE", `${path} is not a session file.`);
}

export function saveSession(path: string, turnId: number): void {
  const session: SessionFile = { type: "cazi_agent_session", schema_version: 1, turn_id: turnId };
  writeDurably(path, `${JSON.stringify(session)}\n`);
}
