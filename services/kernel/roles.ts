/** The roles that `cazi serve` runs alone. */
export const roles = [
  "control-plane",
  "scheduler",
  "reactor",
  "projector",
  "relay",
  "sinks",
  "node",
] as const;
export type Role = (typeof roles)[number];
