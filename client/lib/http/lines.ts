// Answers with one JSON text per line (NDJSON).

export const LINES_TYPE = 'application/x-ndjson'

/** The lines of an answer, as they arrive. */
export async function* linesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string, void, void> {
  const reader = body?.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let incompleteLine = ''
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    const lines = (incompleteLine + chunk.value).split('\n')
    incompleteLine = lines.pop() ?? ''
    yield* lines.filter((line) => line !== '')
  }
  if (incompleteLine !== '') yield incompleteLine
}
