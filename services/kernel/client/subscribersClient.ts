import type { PutSubscriber, Subscriber } from "../../../schemas/api/subscriber.ts";
import type { Http } from "./http.ts";

/** Outside subscribers of a tenant's feed. */
export interface SubscribersClient {
  listSubscribers(tenant: string): Promise<{ readonly data: readonly Subscriber[] }>;
  getSubscriber(of: SubscriberName): Promise<Subscriber>;
  putSubscriber(of: SubscriberName, body: PutSubscriber): Promise<Subscriber>;
  removeSubscriber(of: SubscriberName): Promise<Subscriber>;
}

export interface SubscriberName {
  readonly tenant: string;
  readonly name: string;
}

export function subscribersClient({ call }: Pick<Http, "call">): SubscribersClient {
  const of = ({ tenant, name }: SubscriberName) => ({ path: { name }, query: { tenant } });
  return {
    listSubscribers: (tenant) => call((api) => api.GET("/v1/subscribers", { params: { query: { tenant } } })),
    getSubscriber: (name) => call((api) => api.GET("/v1/subscribers/{name}", { params: of(name) })),
    putSubscriber: (name, body) =>
      call((api) => api.PUT("/v1/subscribers/{name}", { params: of(name), body })),
    removeSubscriber: (name) => call((api) => api.DELETE("/v1/subscribers/{name}", { params: of(name) })),
  };
}
