/** The same chunks, each in a turn of its own: of many uploads at once a chunk may arrive in the same moment. */
export async function* chunksInTurns(
  chunks: AsyncIterable<Uint8Array>,
  turn: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await turn();
    yield chunk;
  }
}
