// Who may import whom; the rules stand in import-rules.ts.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import t from 'tap'
import { forbiddenImports } from './import-rules.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FEATURES_README = join(ROOT, 'client/features/README.md')

const ROOMS = 'http, lifecycle, openapi, auth, access, proxy, portal'
const LOWEST = 'observability, config, errors.ts, types.ts, http/limits.ts'

interface Findings {
  files: number
  /** `from → to: rule`. */
  wrong: string[]
}

async function findingsIn(baseDir: string, featuresReadme: string): Promise<Findings> {
  const { output } = await cruise(['shared', 'server', 'client', 'test'], {
    baseDir,
    // TypeScript 7 has no interface for other programs.
    parser: 'swc',
    validate: true,
    ruleSet: { forbidden: forbiddenImports(featuresReadme) },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(?:^|/)dist/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types']
    }
  })
  const { modules, summary } = output as ICruiseResult
  const wrong = summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`)
  return { files: modules.length, wrong: [...new Set(wrong)].toSorted() }
}

const README = `
| feature | what it is | what others may import beside \`api.ts\` |
| --- | --- | --- |
| \`access\` | roles | everything |
| \`devices\` | the list of devices | \`picker\`, \`list/\` |
| \`users\` | people | nothing |
`
const CYCLE = [
  'client/features/reports → client/features/users: features make no cycle',
  'client/features/users → client/features/reports: features make no cycle'
]
/** A file, what it imports, and what is wrong with that. */
const CASES: [from: string, imported: string, wrong?: string][] = [
  ['shared/ids.ts', 'node:fs', 'fs: shared imports only shared'],
  ['shared/scopes.ts', './ids.ts'],
  ['shared/grants.ts', '#shared/ids.ts', 'shared/ids.ts: within a top folder, paths are relative'],

  ['server/main.ts', './app.ts'],
  ['server/app.ts', './proxy/table.ts'],
  ['server/errors.ts', './config/settings.ts'],
  ['server/types.ts', '../shared/ids.ts', 'shared/ids.ts: across top folders, paths are named from the root'],
  ['server/config/settings.ts', './check.ts', `server/config/check.ts: ${LOWEST}: nothing above`],
  [
    'server/config/check.ts',
    '../app.ts',
    'server/app.ts: app.ts, config/check.ts, lifecycle/operations.ts: each for itself'
  ],
  ['server/observability/log.ts', '../config/settings.ts'],
  ['server/http/limits.ts', '../http/static.ts', `server/http/static.ts: ${LOWEST}: nothing above`],
  ['server/http/static.ts', './limits.ts'],
  ['server/auth/routes.ts', '#client/app/paths.ts', 'client/app/paths.ts: the server knows no client'],
  ['server/proxy/table.ts', '../access/enforce.ts', `server/access/enforce.ts: ${ROOMS}: each for itself`],
  ['server/proxy/forward.ts', './table.ts'],
  ['server/access/enforce.ts', '../inventory/cache.ts'],
  ['server/inventory/cache.ts', '../upstreams/client.ts'],
  [
    'server/upstreams/client.ts',
    '../inventory/cache.ts',
    'server/inventory/cache.ts: upstreams, schemas.ts, redis.ts: nothing above'
  ],
  ['server/upstreams/hal.ts', '../http/limits.ts'],
  ['server/drawer/thing.ts', '../errors.ts', 'server/errors.ts: every file of the server has a layer'],

  ['client/main.tsx', './features/devices/api.ts'],
  ['client/app/paths.ts', '#server/errors.ts', 'server/errors.ts: the client knows no server'],
  ['client/ui/table.tsx', '../lib/http.ts'],
  ['client/ui/menu.tsx', '../app/paths.ts', 'client/app/paths.ts: ui knows no feature'],
  ['client/lib/http.ts', '#shared/ids.ts'],
  ['client/lib/csv.ts', '../features/devices/api.ts', 'client/features/devices/api.ts: lib knows lib'],
  ['client/features/devices/api.ts', '../../lib/http.ts'],
  ['client/lib/time.ts', '../ui/table.tsx', 'client/ui/table.tsx: lib knows lib'],
  ['client/features/devices/screen.tsx', './api.ts'],
  [
    'client/features/devices/list/rows.ts',
    '../../../app/paths.ts',
    'client/app/paths.ts: features know no app'
  ],
  ['client/features/access/roles.ts', '../../lib/http.ts'],
  ['client/features/exports/screen.tsx', '../devices/list/rows.ts'],
  ['client/features/backups/screen.tsx', '../access/roles.ts'],
  ['client/features/devices/picker.tsx', '../../ui/table.tsx'],
  ['client/features/history/screen.tsx', '../devices/picker.tsx'],
  [
    'client/features/alarms/screen.tsx',
    '../devices/screen.tsx',
    'client/features/devices/screen.tsx: features know what others offer'
  ],
  ['client/features/users/api.ts', '../reports/api.ts'],
  ['client/features/users/screen.tsx', './api.ts'],
  ['client/features/reports/api.ts', '../../lib/http.ts'],
  ['client/features/reports/screen.tsx', '../users/api.ts'],

  ['test/sandbox/demo.ts', '../../server/app.ts'],
  ['test/sandbox/main.ts', '#server/main.ts', 'server/main.ts: only the demo knows the gateway'],
  ['test/sandbox/seed.ts', '#shared/ids.ts', 'shared/ids.ts: the sandbox knows types of shared only'],
  [
    'test/sandbox/state.ts',
    '#test/support/portal.ts',
    'test/support/portal.ts: the sandbox knows no client and no tests'
  ],
  ['test/sandbox/tests/seed.test.ts', '#shared/ids.ts'],
  ['test/support/portal.ts', '#server/app.ts'],
  ['test/support/reset.ts', './gone.ts', './gone.ts: every import leads somewhere']
]

t.test('every rule finds what it forbids, and nothing else', async (t) => {
  const folder = t.testdir({ 'package.json': readFileSync(join(ROOT, 'package.json'), 'utf8') })
  for (const [from, imported] of CASES) {
    mkdirSync(dirname(join(folder, from)), { recursive: true })
    writeFileSync(join(folder, from), `import '${imported}'\n`)
  }
  writeFileSync(join(folder, 'test/sandbox/faults.ts'), "import type { Id } from '#shared/ids.ts'\n")
  const wanted = CASES.flatMap(([from, , wrong]) => (wrong === undefined ? [] : [`${from} → ${wrong}`]))
  const { wrong } = await findingsIn(folder, README)
  t.strictSame(wrong, [...wanted, ...CYCLE].toSorted())
})

t.test('every import is allowed', async (t) => {
  const readme = existsSync(FEATURES_README) ? readFileSync(FEATURES_README, 'utf8') : ''
  const { files, wrong } = await findingsIn(ROOT, readme)
  t.ok(files > 500, 'there is something to look at')
  t.strictSame(wrong, [])
})
