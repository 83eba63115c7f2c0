/** Stands where the engine's process does, and says that it has as much memory as it is told to have. */
process.on("message", ([kind, value]) => {
  if (kind === "engine") process.send(["rss", value.heapBytesMax]);
});
process.on("disconnect", () => process.exit(1));
