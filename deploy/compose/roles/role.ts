import type { Role } from "../../../services/kernel/roles.ts";
import type { Ground } from "../openGround.ts";

/** What a role that is running can be asked. */
export interface RunningRole {
  readonly name: Role;
  /** Null while all is well, else why not, as one sentence. */
  trouble(): string | null;
  /** Tells those that ask it to ask another one; it is about to be stopped. */
  drain?(): void;
  stop(): Promise<void>;
}

export type { Ground };
