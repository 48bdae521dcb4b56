// One call over a pool and its answer: a short one as a whole, any other as a stream. Without the streams and promises
// of undici's request(), which cost more than the call itself. What is called, and with which headers, is decided before.
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** An answer that says to be no longer than this is read whole: one that breaks off then is a failure, not half a body. */
const WHOLE_MAX_BYTES = 64 * 1024

export interface Answer {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Buffer | Readable
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  #settle!: { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  #controller: Dispatcher.DispatchController | null = null
  #cancelled: Error | null = null
  #head: Omit<Answer, 'body'> = { statusCode: 0, headers: {} }
  #chunks: Buffer[] = []
  #stream: Readable | null = null

  constructor(dispatcher: Dispatcher, call: Dispatcher.DispatchOptions) {
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      dispatcher.dispatch(call, this)
    })
  }

  /** Breaks it off: an answer that is still awaited fails with the reason. */
  cancel(reason: Error): void {
    this.#cancelled = reason
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#cancelled) controller.abort(this.#cancelled)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders
  ): void {
    if (statusCode < 200) return
    this.#head = { statusCode, headers }
    if (Number(headers['content-length']) <= WHOLE_MAX_BYTES) return
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('the answer is not wanted any more'))
        done(error)
      }
    })
    // Whoever reads it learns of a failure; one that comes before that must not end everything.
    this.#stream.on('error', () => {})
    this.#settle.resolve({ ...this.#head, body: this.#stream })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stream === null) this.#chunks.push(chunk)
    else if (!this.#stream.push(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#stream === null) this.#settle.resolve({ ...this.#head, body: joined(this.#chunks) })
    else this.#stream.push(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stream?.destroy(error)
    this.#settle.reject(error)
  }
}

function joined(chunks: Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only ? only : Buffer.concat(chunks)
}
