// Opens live streams and records when each event about alarms arrived.
import { Agent, get } from 'node:http'
import { answer } from './answer.ts'
import type { Call } from './load.ts'

export interface Arrival {
  stream: number
  customerId: string
  count: number
  /** Milliseconds since 1970. */
  at: number
}

interface Calls {
  origin: string
  calls: readonly Call[]
}

const agent = new Agent({ keepAlive: false })
let streams: { destroy(): void }[] = []
let arrivals: Arrival[] = []
let lost = 0

answer({
  /** Opens a stream for each call, a few at a time, besides the open ones. Returns their number once all have begun. */
  async open({ origin, calls }: Calls): Promise<number> {
    const firstNumber = streams.length
    await openAll(calls, (call, number) => open(origin, call, firstNumber + number))
    return streams.length
  },
  /** Opens those of the streams that the gateway does not refuse. Returns their number. */
  async attempt({ origin, calls }: Calls): Promise<number> {
    let opened = 0
    await openAll(calls, (call, number) =>
      open(origin, call, number).then(
        () => {
          opened += 1
        },
        () => {}
      )
    )
    return opened
  },
  /** The arrivals since the last call, and the number of streams that have ended. */
  arrivals: () => ({ arrivals: arrivals.splice(0), lost }),
  close() {
    const closed = streams
    streams = []
    for (const stream of closed) stream.destroy()
    arrivals = []
    lost = 0
  }
})

async function openAll(
  calls: readonly Call[],
  openOne: (call: Call, number: number) => Promise<void>
): Promise<void> {
  let next = 0
  const openNext = async () => {
    while (next < calls.length) {
      const number = next
      next += 1
      await openOne(calls[number] as Call, number)
    }
  }
  await Promise.all(Array.from({ length: 16 }, openNext))
}

function open(origin: string, { path, headers }: Call, stream: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(origin + path, { agent, headers }, (response) => {
      if (response.statusCode !== 200) {
        response.resume()
        return reject(new Error(`${path} answered ${response.statusCode}`))
      }
      streams.push(request)
      let rest = ''
      response.setEncoding('utf8')
      response.on('error', () => {})
      response.once('close', () => {
        if (streams.includes(request)) lost += 1
      })
      response.on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) record(block, stream)
      })
      resolve()
    })
    request.once('error', reject)
  })
}

function record(block: string, stream: number): void {
  const data = /^event: alarms\ndata: (.*)$/m.exec(block)?.[1]
  if (data === undefined) return
  const { customerId, count } = JSON.parse(data) as { customerId: string; count: number | null }
  arrivals.push({ stream, customerId, count: count ?? 0, at: Date.now() })
}
