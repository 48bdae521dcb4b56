// Sends requests as bytes, pipelined over a few connections or each over its own.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  head: string
}

const AHEAD = 64
const PORTION = 2000

/** Reads one answer from the beginning of the bytes; null while it is not complete. */
function readAnswer(bytes: Buffer): { answer: RawAnswer; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const bodyAt = end + 4
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  const chunked = /^transfer-encoding: *chunked/im.test(head)
  if (chunked) {
    const last = bytes.indexOf('0\r\n\r\n', bodyAt)
    return last < 0 ? null : { answer: { status, head }, rest: bytes.subarray(last + 5) }
  }
  const bodyEnd = bodyAt + Number(length ?? 0)
  return bytes.length < bodyEnd ? null : { answer: { status, head }, rest: bytes.subarray(bodyEnd) }
}

/**
 * Pipelines the requests over several connections. If a connection ends early, opens it again and continues after the
 * request that ended it.
 * @param requests latin1, so that each character is a byte
 */
export async function sendPipelined(
  port: number,
  requests: readonly string[],
  connections = 8
): Promise<RawAnswer[]> {
  const answers = new Array<RawAnswer>(requests.length)
  let next = 0
  const lane = async () => {
    while (next < requests.length) {
      let from = next
      const to = Math.min(from + PORTION, requests.length)
      next = to
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
    let sent = from
    let answered = from
    let bytes: Buffer = Buffer.alloc(0)
    const socket: Socket = connect(port, '127.0.0.1')
    const send = () => {
      let out = ''
      while (sent < to && sent - answered < AHEAD) out += requests[sent++]
      if (out !== '') socket.write(out, 'latin1')
    }
    socket.setNoDelay(true)
    socket.once('connect', send)
    socket.on('data', (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      for (let read = readAnswer(bytes); read !== null; read = readAnswer(bytes)) {
        // An interim response (RFC 9110, section 15.2) precedes the answer.
        if (read.answer.status !== 100) answers[answered++] = read.answer
        bytes = read.rest
      }
      if (answered >= to) socket.destroy()
      else if (sent - answered < AHEAD / 2) send()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') reject(error)
    })
    socket.on('close', () => {
      if (answered < to && answered === from) answers[answered++] = { status: 0, head: '' }
      resolve(answered)
    })
  })
}

export async function sendAlone(port: number, request: string): Promise<RawAnswer> {
  const answers: RawAnswer[] = []
  await overOneConnection(port, [request], answers, 0, 1)
  return answers[0] ?? { status: 0, head: '' }
}
