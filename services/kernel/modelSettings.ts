import { address, integer, secretSetting, setting } from "./setting.ts";

/** It goes to nodes and into logs, so it holds nothing that is a secret. */
function endpoint(value: string): string {
  const url = new URL(address("http", "https")(value));
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new Error("must have no user, password, query or fragment");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Of the model that the control plane asks for scripts (`model.call`). */
export const modelSettings = {
  modelKey: secretSetting(
    "CAZI_MODEL_KEY",
    "key of the model's provider, with which the control plane answers model.call of scripts; unset: no script is answered",
  ),
  modelUrl: setting(
    "CAZI_MODEL_URL",
    "https://api.openai.com/v1/responses",
    endpoint,
    "where the model is asked, in the form of OpenAI's responses; no key and no query in it",
  ),
  modelCallsMax: setting(
    "CAZI_MODEL_CALLS_MAX",
    100,
    integer(1, 10_000),
    "calls of model.call that one attempt of a task may make",
  ),
};
