/** `echo hi` on the local image: what a container takes at least, and one log chunk on the no-op executor. */
export const echoSpec = JSON.stringify({ image: "cazi/toolbox:latest", command: ["echo", "hi"] });
