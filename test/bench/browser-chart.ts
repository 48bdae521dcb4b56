// The history chart in a real browser: 10 series of 100,000 samples from memory to the screen, the cursor over them with the
// tooltip of all series, and frames of a zoom.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { chromiumPath } from '#test/support/machine.ts'
import { median, quantile, table } from './figures.ts'
import type { Bench, Benchmark } from './run.ts'

const SERIES = 10
const SAMPLES = 100_000
const ZOOMS = 40
const MOVES = 100
const ROUNDS_MAX = 7
/** What a person still takes for at once; the last one is what browsers call a long task. */
const LIMITS = { painted: 300, cursor: 16, cursorP95: 32, zoom: 32, task: 50 }

interface Figures {
  first: { painted: number; longestTask: number; threadMs: number }
  cursor: { moves: number[]; longestTask: number; threadMs: number }
  zoom: { frames: number[]; idle: number[]; longestTask: number; threadMs: number }
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

export const browserChart: Benchmark = { name: 'browser-chart', weight: 1, run }

async function run(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'))
  bench.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const root = fileURLToPath(new URL('./browser', import.meta.url))
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false } }
  })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '').split('?')[0]
    try {
      const content = readFileSync(join(folder, path ?? ''))
      response.writeHead(200, { 'content-type': TYPES[extname(path ?? '')] ?? 'application/octet-stream' })
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  bench.teardown(() => server.close())
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  })
  bench.teardown(() => browser.close())

  const rounds: Figures[] = []
  const until = performance.now() + bench.seconds * 1000
  do {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction('typeof zoom === "function"')
    const clock = await threadClock(page)
    await page.evaluate(`prepare(${SERIES}, ${SAMPLES})`)
    const measure = async <T>(what: string) => {
      const before = await clock()
      const measured = (await page.evaluate(what)) as T
      return { ...measured, threadMs: (await clock()) - before }
    }
    rounds.push({
      first: await measure('drawFirst()'),
      cursor: await measure(`point(${MOVES})`),
      zoom: await measure(`zoom(${ZOOMS})`)
    })
    await page.close()
  } while (rounds.length < ROUNDS_MAX && performance.now() < until)
  bench.print(figures(rounds))
}

/** What the page's own thread has worked so far, whatever else the machine does meanwhile. */
async function threadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
}

function figures(rounds: readonly Figures[]): string {
  const row = (name: string, values: readonly number[], aim: number | string) => [
    name,
    values.length,
    median(values).toFixed(1),
    quantile(values, 0.95).toFixed(1),
    Math.min(...values).toFixed(1),
    aim
  ]
  const first = rounds.map((round) => round.first)
  const cursor = rounds.map((round) => round.cursor)
  const zoom = rounds.map((round) => round.zoom)
  return table(
    [
      `${SERIES} series of ${SAMPLES.toLocaleString('en')} samples`,
      'measured',
      'median ms',
      'p95 ms',
      'best ms',
      'aim ms'
    ],
    [
      row(
        'from memory to painted',
        first.map(({ painted }) => painted),
        LIMITS.painted
      ),
      row(
        'of it the page’s thread at work',
        first.map(({ threadMs }) => threadMs),
        ''
      ),
      row(
        'longest task meanwhile',
        first.map(({ longestTask }) => longestTask),
        LIMITS.task
      ),
      row(
        'cursor moved, with the tooltip of all series',
        cursor.flatMap(({ moves }) => moves),
        `${LIMITS.cursor}, p95 ${LIMITS.cursorP95}`
      ),
      row(
        'the page’s thread at work for a move',
        cursor.map(({ threadMs }) => threadMs / MOVES),
        ''
      ),
      row(
        'longest task, moving the cursor',
        cursor.map(({ longestTask }) => longestTask),
        LIMITS.task
      ),
      row(
        'a frame of a zoom',
        zoom.flatMap(({ frames }) => frames),
        LIMITS.zoom
      ),
      row(
        'a frame of nothing, to compare',
        zoom.flatMap(({ idle }) => idle),
        ''
      ),
      row(
        'the page’s thread at work for a frame',
        zoom.map(({ threadMs }) => threadMs / ZOOMS),
        ''
      ),
      row(
        'longest task, zooming',
        zoom.map(({ longestTask }) => longestTask),
        LIMITS.task
      )
    ]
  )
}
