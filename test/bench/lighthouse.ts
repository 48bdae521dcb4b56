// Lighthouse of the two pages that people see most, as a phone and as a desk: `npm run bench -- lighthouse`. Its pinned
// version is installed by itself when it is first run, outside of the project's own packages.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startBrowser } from '#test/support/browser/browser.ts'
import { chromiumPath } from '#test/support/machine.ts'
import { freePort } from '#test/support/portal.ts'
import { quantile, table } from './figures.ts'
import { startPortalApart } from './portal-apart.ts'
import type { Bench, Benchmark } from './run.ts'

const VERSION = '13.5.0'
const ROUNDS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const
const PAGES = { 'customers page': '/', 'a customer’s page': `/customers/${NOTABLE.northwind}` }

interface Result {
  lhr: {
    categories: Record<string, { score: number | null }>
    audits: Record<string, { score: number | null; numericValue?: number; title: string }>
    /** How fast Lighthouse finds the processor; phones of its simulation need some 1,000 and more. */
    environment: { benchmarkIndex: number }
  }
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result>

export const lighthouse: Benchmark = { name: 'lighthouse', weight: 3, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const { audit, desktop } = await installed()
  const portal = await startPortalApart(bench, {})
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'))
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`]
  })
  bench.teardown(() => rmSync(folder, { recursive: true, force: true }))
  bench.teardown(() => context.close())
  const person = await portal.signIn(await startBrowser(bench), 'partner.admin', '/')
  await context.addCookies(await person.context().cookies())

  const flags = { port, onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'silent' }
  const rows: string[][] = []
  const failed = new Set<string>()
  for (const [page, path] of Object.entries(PAGES))
    for (const [device, config] of [['phone', undefined] as const, ['desk', desktop] as const]) {
      const results: Result['lhr'][] = []
      while (results.length < ROUNDS) results.push((await audit(portal.url + path, flags, config)).lhr)
      const median = (of: (lhr: Result['lhr']) => number) => quantile(results.map(of), 0.5)
      rows.push([
        page,
        device,
        ...CATEGORIES.map((name) =>
          median(({ categories }) => 100 * (categories[name]?.score ?? 0)).toFixed(0)
        ),
        ...['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'].map((name) =>
          median(({ audits }) => audits[name]?.numericValue ?? 0).toFixed(0)
        ),
        median(({ environment }) => environment.benchmarkIndex).toFixed(0)
      ])
      for (const [id, { score, title }] of Object.entries(results[0]?.audits ?? {}))
        if (score === 0) failed.add(`${id}: ${title}`)
    }
  bench.print(
    table(['page', 'as a', ...CATEGORIES, 'first paint ms', 'largest ms', 'blocked ms', 'processor'], rows)
  )
  bench.print(`Medians of ${ROUNDS}. Audits with 0: ${[...failed].join('; ') || 'none'}`)
}

/** The package itself, and its configuration of a desk. */
async function installed(): Promise<{ audit: Lighthouse; desktop: object }> {
  const folder = join(tmpdir(), `portal-lighthouse-${VERSION}`)
  const core = join(folder, 'node_modules/lighthouse/core')
  if (!existsSync(core)) {
    mkdirSync(folder, { recursive: true })
    const what = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund']
    execFileSync('npm', [...what, `lighthouse@${VERSION}`], { stdio: 'inherit' })
  }
  const from = (file: string) => import(pathToFileURL(join(core, file)).href)
  return {
    audit: (await from('index.js')).default,
    desktop: (await from('config/desktop-config.js')).default
  }
}
