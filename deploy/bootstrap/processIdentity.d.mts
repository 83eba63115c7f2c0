export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal only for the same process. */
  readonly started: string;
}
export function identityOf(pid: number): ProcessIdentity | null;
export function isAlive(identity: ProcessIdentity): boolean;
