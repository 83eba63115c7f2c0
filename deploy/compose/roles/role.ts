import type { Ground } from "../openGround.ts";

/** What a role that is running can be asked. */
export interface RunningRole {
  readonly name: RoleName;
  /** Null while all is well, else why not, as one sentence. */
  trouble(): string | null;
  /** Tells those that ask it to ask another one; it is about to be stopped. */
  drain?(): void;
  stop(): Promise<void>;
}

export const roleNames = [
  "control-plane",
  "scheduler",
  "reactor",
  "projector",
  "relay",
  "sinks",
  "node",
] as const;
export type RoleName = (typeof roleNames)[number];
export type { Ground };
