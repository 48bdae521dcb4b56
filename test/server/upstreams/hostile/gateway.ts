// A gateway in its own process. It measures, in CPU time, how long its event loop is blocked.
import { randomBytes } from 'node:crypto'
import { build } from '#server/app.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { readConfig } from '#server/config/settings.ts'
import { createLog } from '#server/observability/log.ts'

export interface Block {
  /** The end of the block, in milliseconds since 1970. */
  at: number
  ms: number
}

export interface Report {
  routes: { id: string; method: string; path: string }[]
  blocks: Block[]
  /** CPU time that this machine needs to parse 1 MB of records, in milliseconds. */
  parseMs: number
  failures: string[]
}

const TICK_MS = 5
const MIN_BLOCK_MS = 50

const config = readConfig(JSON.parse(process.env.SETTINGS ?? '{}'))
const failures: string[] = []
const write = (line: string) => void (line.includes('"level":"error"') && failures.push(line))
const app = await build(config, {
  backend: createMemoryBackend(Date.now),
  secrets: [randomBytes(32).toString('base64')],
  clock: Date.now,
  log: createLog('error', { write })
})
await app.listen({ port: config.PORT, host: 'localhost' })

/** The median of a few runs: the first ones are not compiled yet, and garbage collections fall into others. */
function measureParse(): number {
  const record = { id: 1, name: 'device', tags: ['one', 'two'], value: 1.5, note: 'x'.repeat(40) }
  const text = JSON.stringify(Array.from({ length: 10_000 }, () => record))
  const times = Array.from({ length: 15 }, () => {
    const before = process.threadCpuUsage()
    JSON.parse(text)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return times.toSorted((a, b) => a - b)[7] ?? 0
}

const parseMs = measureParse()
const blocks: Block[] = []
let usage = process.threadCpuUsage()
setInterval(() => {
  const { user, system } = process.threadCpuUsage(usage)
  usage = process.threadCpuUsage()
  const ms = (user + system) / 1000
  if (ms >= MIN_BLOCK_MS) blocks.push({ at: Date.now(), ms })
}, TICK_MS)

const report = () => {
  const routes = app.declaredRoutes.map(({ id, method, path }) => ({ id, method, path }))
  process.send?.({ routes, blocks, parseMs, failures } satisfies Report)
}
process.on('message', report)
process.once('disconnect', () => process.exit())
report()
