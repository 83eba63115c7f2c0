/**
 * The id of a task's sink: what its results in the ledger are told by. It follows from the spec alone, so it is the same
 * after every restart: its name, or its place and type.
 */
export function sinkId(sink: { readonly name: string | null; readonly type: string }, index: number): string {
  return sink.name ?? `${index}-${sink.type}`;
}
