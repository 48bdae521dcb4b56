// One caller who takes what others need, in one of several ways, until told to stop: each over sockets of its own, for no
// HTTP client would do it.
import { connect, type Socket } from 'node:net'
import { answer } from './answer.ts'

export interface Misbehaviour {
  origin: string
  headers: Record<string, string>
  way: Way
}

export type Way = keyof typeof WAYS

const UNREAD = 64
const HANGING = 1_000
const SLOW = 64
const SLOW_EVERY_MS = 1_000
const BODY_BYTES = 1024 * 1024
const SLOW_BYTES = 256 * 1024
const BODIES_EVERY_MS = 100
const PARTS = 50_000
const LISTS_EVERY_MS = 25

const CUSTOMER = '1'
const BACKUPS = `/api/v1/recover/customers/${CUSTOMER}/backups`
const REPORTS = `/api/v1/charts-and-reports/${CUSTOMER}`
const BATCH = '/api/v1/control/devices/commands/acknowledgeAlarmBatch'

const points = Array.from({ length: BODY_BYTES / 32 }, (_, index) => ({
  device: `d-${String(index).padStart(16, '0')}`
}))
const BODIES: readonly string[] = [
  JSON.stringify({ reportDetails: { selectedPoints: [] }, notes: 'x'.repeat(BODY_BYTES - 100) }),
  JSON.stringify({ reportDetails: { selectedPoints: [...points.slice(10), {}] } })
]
const MANY_PARTS = `[${Array(PARTS).fill('{"id":1}').join(',')}]`

let sockets: Socket[] = []
let timers: NodeJS.Timeout[] = []
let statuses: Record<string, number> = {}

const every = (ms: number, work: () => void) => void timers.push(setInterval(work, ms))

function send({ origin, headers }: Misbehaviour, target: string, more: string, reads: boolean): Socket {
  const { port, hostname } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ ...headers, host: 'x', origin }).map(
    ([name, value]) => `${name}: ${value}\r\n`
  )
  socket.write(`${target} HTTP/1.1\r\n${lines.join('')}${more}`)
  socket.on('error', () => {})
  if (reads)
    socket.once('data', (chunk) => {
      const status = chunk.toString('latin1', 9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
  else socket.pause()
  sockets.push(socket)
  return socket
}

const many = (count: number, work: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) work(index)
}

const WAYS = {
  'answers left unread': (given: Misbehaviour) =>
    many(UNREAD, () => void send(given, `GET ${BACKUPS}`, '\r\n', false)),
  'files left unread': (given: Misbehaviour) =>
    many(UNREAD, () => void send(given, `GET ${BACKUPS}/b-1/download`, '\r\n', false)),
  'calls that hang': (given: Misbehaviour) =>
    many(HANGING, () => void send(given, `GET ${REPORTS}/reports`, '\r\n', true)),
  'slow bodies': (given: Misbehaviour) => {
    const head = `content-type: application/json\r\ncontent-length: ${SLOW_BYTES}\r\n\r\n{`
    many(SLOW, () => {
      const socket = send(given, `POST ${REPORTS}/report`, head, true)
      every(SLOW_EVERY_MS, () => void socket.write(' '))
    })
  },
  'bodies of 1 MiB': (given: Misbehaviour) => {
    let sent = 0
    every(BODIES_EVERY_MS, () => post(given, `${REPORTS}/report`, BODIES[sent++ % BODIES.length] ?? ''))
  },
  'bodies of somebody without a role': (given: Misbehaviour) =>
    every(BODIES_EVERY_MS, () => post(given, BATCH, MANY_PARTS)),
  'large answers to parse': (given: Misbehaviour) =>
    every(
      BODIES_EVERY_MS,
      () => void send(given, `GET /api/portal/v1/customers/${CUSTOMER}/alarms`, '\r\n', true)
    ),
  'attention asked for all the time': (given: Misbehaviour) =>
    every(
      LISTS_EVERY_MS,
      () => void send(given, 'GET /api/portal/v1/organizations/7/attention', '\r\n', true)
    )
}

function post(given: Misbehaviour, path: string, body: string): void {
  const type = `content-type: application/json\r\nx-customer-id: ${CUSTOMER}\r\n`
  send(
    given,
    `POST ${path}`,
    `${type}connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    true
  )
}

answer({
  begin(given: Misbehaviour) {
    statuses = {}
    WAYS[given.way](given)
  },
  end() {
    for (const timer of timers) clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    timers = []
    sockets = []
    return statuses
  }
})
