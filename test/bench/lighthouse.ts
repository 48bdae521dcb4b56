// Runs Lighthouse on the two most used pages, for a phone and a desktop. The first run installs a pinned version of
// Lighthouse outside the project.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { freePort } from '#test/support/free-port.ts'
import { chromiumPath } from '#test/support/machine.ts'
import { table } from './figures.ts'
import { type Bench, type Benchmark, middle, takeRounds } from './frame.ts'
import { startPortalApart } from './portal-apart.ts'

const VERSION = '13.5.0'
const ROUNDS_MAX = 3
/** Lighthouse waits until the network is silent, which a page with a stream of live events never is. */
const WATCHED_MS = 15_000
/** The gateway's first reading of all customers would share the processors with the browser. */
const FIRST_READING_MS = 12_000
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
const TIMES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time']
const PAGES: Record<string, string> = {
  customers: '/',
  'a customer’s page': `/customers/${NOTABLE.northwind}`
}

interface Report {
  categories: Record<string, { score: number | null }>
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>
  environment: { benchmarkIndex: number }
}
type Audit = (url: string, flags: object, config?: object) => Promise<{ lhr: Report }>

export const lighthouse: Benchmark = { name: 'lighthouse', weight: 3, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const { audit, desktop } = await installLighthouse()
  const portal = await startPortalApart(bench)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`]
  })
  bench.teardown(() => rmSync(folder, { recursive: true, force: true }))
  bench.teardown(() => context.close())
  const signedInPage = await portal.open(await startBrowser(bench), 'partner.admin', '/')
  await context.addCookies(await signedInPage.context().cookies())
  await wait(FIRST_READING_MS)
  await signedInPage.close()

  const flags = {
    port,
    onlyCategories: CATEGORIES,
    disableStorageReset: true,
    maxWaitForLoad: WATCHED_MS,
    logLevel: 'silent'
  }
  const configs: Record<string, object | undefined> = { phone: undefined, desktop }
  const kinds = Object.keys(PAGES).flatMap((page) =>
    Object.keys(configs).map((device) => `${page}, ${device}`)
  )
  const take = async (kind: string): Promise<Report> => {
    const [page = '', device = ''] = kind.split(', ')
    return (await audit(portal.url + PAGES[page], flags, configs[device])).lhr
  }
  const rounds = await takeRounds(kinds, take, { seconds: bench.seconds, atLeast: 1, atMost: ROUNDS_MAX })
  const rows = kinds.map((kind) => {
    const cell = (figure: (report: Report) => number) => middle(rounds, kind, figure).toFixed(0)
    return [
      kind,
      ...CATEGORIES.map((name) => cell(({ categories }) => 100 * (categories[name]?.score ?? 0))),
      ...TIMES.map((name) => cell(({ audits }) => audits[name]?.numericValue ?? 0)),
      cell(({ environment }) => environment.benchmarkIndex)
    ]
  })
  const head = [`medians of ${rounds.length}`, ...CATEGORIES]
  bench.print(table([...head, 'first paint ms', 'largest ms', 'blocked ms', 'benchmark index'], rows))
  const audits = rounds.flatMap((round) => Object.values(round).flatMap((one) => Object.entries(one.audits)))
  const failedAudits = audits.flatMap(([id, { score, title }]) => (score === 0 ? [`${id}: ${title}`] : []))
  bench.print(`Audits with 0: ${[...new Set(failedAudits)].join('; ') || 'none'}`)
}

async function installLighthouse(): Promise<{ audit: Audit; desktop: object }> {
  const folder = join(tmpdir(), `portal-lighthouse-${VERSION}`)
  const core = join(folder, 'node_modules/lighthouse/core')
  if (!existsSync(core)) {
    mkdirSync(folder, { recursive: true })
    const parameters = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund']
    execFileSync('npm', [...parameters, `lighthouse@${VERSION}`], { stdio: 'inherit' })
  }
  const load = (file: string) => import(pathToFileURL(join(core, file)).href)
  return {
    audit: (await load('index.js')).default,
    desktop: (await load('config/desktop-config.js')).default
  }
}
