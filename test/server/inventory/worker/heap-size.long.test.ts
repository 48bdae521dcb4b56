// A customer uses at most the estimated heap, and not much less.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Contents, Measured } from './measure-heap.ts'

const PROGRAM = fileURLToPath(new URL('measure-heap.ts', import.meta.url))
const DEVICES = 17_000
/** The estimate is at most this many times the used heap, so that it refuses no customer needlessly. */
const OVERESTIMATE_MAX = 2.5

async function measureHeap(contents: Contents): Promise<Measured> {
  // Without other threads: one that has not had its turn on a busy machine keeps objects in memory.
  const program = fork(PROGRAM, { execArgv: ['--expose-gc', '--single-threaded'] })
  program.send(contents)
  const [measured] = await once(program, 'message')
  return measured as Measured
}

const CASES: Record<string, Partial<Contents>> = {
  'with usual texts': {},
  'with three services': { subscriptionsPerDevice: 3 },
  'with ten services': { subscriptionsPerDevice: 10 },
  'without texts': { fields: 'id' },
  'with short texts': { fields: 'short' },
  'with names that are not Latin': { text: '東京' },
  'with long texts': { text: 'x'.repeat(240) },
  'with long texts, one of them not Latin': { text: 'x'.repeat(240), firstText: '東'.repeat(240) },
  'with long texts, none of them Latin': { text: '東'.repeat(240) },
  'in separate projects': { projects: DEVICES }
}
for (const [name, contents] of Object.entries(CASES))
  t.test(`devices ${name} use no more heap than estimated`, async (t) => {
    const { usedBytes, estimatedBytes } = await measureHeap({ devices: DEVICES, ...contents })
    const figures = `${Math.round(usedBytes / DEVICES)} of ${Math.round(estimatedBytes / DEVICES)} bytes each`
    t.ok(usedBytes <= estimatedBytes, figures)
    t.ok(usedBytes > estimatedBytes / OVERESTIMATE_MAX, figures)
  })

const POINTS = 20_000
for (const [name, contents] of [
  ['with usual names', {}],
  ['with names that are not Latin', { text: '東京' }],
  ['with long names', { text: 'x'.repeat(200) }],
  ['with states that are parts of long texts', { state: 'x'.repeat(5_000) }]
] as const)
  t.test(`points ${name} use no more heap than estimated`, async (t) => {
    const { usedBytes, estimatedBytes } = await measureHeap({ devices: 0, points: POINTS, ...contents })
    const figures = `${Math.round(usedBytes / POINTS)} of ${Math.round(estimatedBytes / POINTS)} bytes each`
    t.ok(usedBytes <= estimatedBytes, figures)
    t.ok(usedBytes > estimatedBytes / OVERESTIMATE_MAX, figures)
  })
