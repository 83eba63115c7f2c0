import type { TaskEventBody } from "./taskEvent.ts";

/** How an attempt ended, in one word of a fixed set; null for an event that ends none. Pure. */
export function attemptOutcome(event: TaskEventBody): string | null {
  switch (event.type) {
    case "succeeded":
      return "succeeded";
    case "returned":
    case "retrying":
      return event.reason;
    // Without a fence no attempt was ever offered: the task was given up while it waited.
    case "failed":
      return event.fence === null ? null : event.reason;
    case "cancelled":
      return event.fence === null ? null : "cancelled";
    default:
      return null;
  }
}
