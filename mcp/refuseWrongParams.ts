import { refusalOf, wrongParams } from "./requestParams.ts";

/** What a transport of either library has, as far as it matters here. */
interface Transport {
  // biome-ignore lint/suspicious/noExplicitAny: each library has its own type of a message, of one shape
  onmessage?: ((message: any, extra?: any) => void) | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  send(message: any): Promise<void>;
}

/**
 * The same transport, which answers a request with wrong parameters itself. It stands here and not in a handler,
 * because both libraries check the parameters before they call one.
 */
export function refuseWrongParams<T extends Transport>(transport: T, onTrouble: (error: Error) => void): T {
  let handle: Transport["onmessage"] = transport.onmessage;
  Object.defineProperty(transport, "onmessage", {
    get: () => (handle === undefined ? undefined : checked(handle)),
    set: (given: Transport["onmessage"]) => {
      handle = given;
    },
  });
  const checked = (next: NonNullable<Transport["onmessage"]>): typeof next => {
    return (message, extra) => {
      const wrong = wrongParams(message);
      if (wrong === null) return next(message, extra);
      transport.send(refusalOf(message.id, wrong)).catch(onTrouble);
    };
  };
  return transport;
}
