/** The NATS account of an outside subscriber of one tenant's feed. */
import type { Permissions } from "@nats-io/jwt";
import { subscriberImports } from "../../streams/accounts.ts";
import {
  makeOutsideAccount,
  type OutsideAccount,
  outsideLimits,
  rightsTo,
  serviceImports,
} from "./outsideAccount.ts";

/** One program, its restarts, and some of its kind that share the events. */
const limits = { ...outsideLimits, conn: 16 } as const;

/** A new account that may read from one consumer. @param of.consumer its durable name, which says whose feed it is */
export function makeSubscriberAccount(of: {
  readonly consumer: string;
  readonly servicesAccount: string;
  readonly operatorSeed: string;
}): Promise<OutsideAccount> {
  const { consumer, operatorSeed } = of;
  return makeOutsideAccount({
    name: subscriberAccountName(consumer),
    claims: subscriberClaims(of),
    rights: subscriberRights(consumer),
    operatorSeed,
  });
}

export function subscriberAccountName(consumer: string): string {
  return `subscriber-${consumer}`;
}

/** What its users may ask and hear. */
export function subscriberRights(consumer: string): Permissions {
  return rightsTo(subscriberImports(consumer));
}

/** All that the account of a subscriber may do, whatever its users are allowed. */
export function subscriberClaims(of: { readonly consumer: string; readonly servicesAccount: string }) {
  return { limits, imports: serviceImports(subscriberImports(of.consumer), of.servicesAccount) };
}
