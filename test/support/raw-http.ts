// Sends requests as bytes, pipelined over a few connections or each over its own connection.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  head: string
}

const REQUESTS_AHEAD_MAX = 64
const PORTION_SIZE = 2000

/** Reads one answer from the beginning of the bytes; null while the answer is incomplete. */
function readAnswer(bytes: Buffer): { answer: RawAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const bodyAt = end + 4
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  const isChunked = /^transfer-encoding: *chunked/im.test(head)
  if (isChunked) {
    const lastChunkAt = bytes.indexOf('0\r\n\r\n', bodyAt)
    return lastChunkAt < 0 ? null : { answer: { status, head }, rest: bytes.subarray(lastChunkAt + 5) }
  }
  const bodyEnd = bodyAt + Number(length ?? 0)
  return bytes.length < bodyEnd ? null : { answer: { status, head }, rest: bytes.subarray(bodyEnd) }
}

/**
 * Pipelines the requests over several connections. If a connection ends early, opens it again and continues after the
 * request that ended the connection.
 * @param requests latin1, so that each character is a byte
 */
export async function sendPipelined(
  port: number,
  requests: readonly string[],
  connections = 8
): Promise<RawAnswer[]> {
  const answers = new Array<RawAnswer>(requests.length)
  let nextIndex = 0
  const lane = async () => {
    while (nextIndex < requests.length) {
      let from = nextIndex
      const to = Math.min(from + PORTION_SIZE, requests.length)
      nextIndex = to
      while (from < to) from = await overOneConnection(port, requests, answers, from, to)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return answers
}

function overOneConnection(
  port: number,
  requests: readonly string[],
  answers: RawAnswer[],
  from: number,
  to: number
): Promise<number> {
  return new Promise((resolve, reject) => {
    let sentCount = from
    let answeredCount = from
    let bytes: Buffer = Buffer.alloc(0)
    const socket: Socket = connect(port, '127.0.0.1')
    const send = () => {
      let data = ''
      while (sentCount < to && sentCount - answeredCount < REQUESTS_AHEAD_MAX) data += requests[sentCount++]
      if (data !== '') socket.write(data, 'latin1')
    }
    socket.setNoDelay(true)
    socket.once('connect', send)
    socket.on('data', (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      for (let result = readAnswer(bytes); result !== null; result = readAnswer(bytes)) {
        // An interim response (RFC 9110, section 15.2) precedes the answer.
        if (result.answer.status !== 100) answers[answeredCount++] = result.answer
        bytes = result.rest
      }
      if (answeredCount >= to) socket.destroy()
      else if (sentCount - answeredCount < REQUESTS_AHEAD_MAX / 2) send()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
    })
    socket.on('close', () => {
      if (answeredCount < to && answeredCount === from) answers[answeredCount++] = { status: 0, head: '' }
      resolve(answeredCount)
    })
  })
}

export async function sendAlone(port: number, request: string): Promise<RawAnswer> {
  const answers: RawAnswer[] = []
  await overOneConnection(port, [request], answers, 0, 1)
  return answers[0] ?? { status: 0, head: '' }
}
