import type { PulledImages } from "../runtimes/docker/pulledImages.ts";

/** Remembers nothing and holds nothing: for tests in which no image is ever removed. */
export const nothingPulled: PulledImages = {
  has: () => false,
  all: () => [],
  add: async () => {},
  forget: async () => {},
  hold: async () => {},
  removeUnlessHeld: async () => false,
  save: async () => {},
};
