// Compares the dashboard and the alert rules with the metrics of the gateway.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { createMetrics } from '#server/observability/metrics.ts'
import { optionalProgram } from '../support/machine.ts'
import { ROOT } from './image-files.ts'

const read = (name: string) => readFileSync(join(ROOT, '.github/operations', name), 'utf8')

interface Rules {
  groups: {
    rules: { alert: string; expr: string; for: string; annotations: { summary: string; runbook: string } }[]
  }[]
}
interface Dashboard {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
}

const rules = (parse(read('alerts.yml')) as Rules).groups.flatMap((group) => group.rules)
const { panels } = JSON.parse(read('dashboard.json')) as Dashboard

async function renderedMetrics(): Promise<Map<string, Set<string>>> {
  const {
    recorder,
    render,
    watchProcess,
    setBuild,
    watchReadiness,
    watchAuthority,
    watchCertificates,
    watchClock,
    watchSecrets
  } = createMetrics()
  watchProcess()
  setBuild({ version: '1.0.0', revision: 'abc' })
  watchReadiness(async () => true)
  watchAuthority(async () => true)
  watchCertificates(() => new Map([['portal.example.com:443', 1]]))
  watchClock(() => 1)
  watchSecrets(() => true)
  for (const status of [200, 500]) {
    recorder.route('a')(status, 1)
    recorder.upstream('EGRESS', { count: 1, waiting: 1 })(status, 1)
  }
  recorder.signIn('done')
  recorder.signInsWaiting(() => 1)
  recorder.authority('token', 200, 1)
  recorder.sessions(async () => 1)
  recorder.inventoryWorker(async () => ({ isUp: true, deaths: 0, waiting: 1, heapBytes: 1 }))
  recorder.logoutRefused('time')
  recorder.clockRefused('jumps')
  recorder.signOut('person', 1)
  recorder.refresh('done', 1)
  recorder.leaseWait(1)
  recorder.storeFailed(new Error('x'))
  recorder.problem('x')
  recorder.rejectionUnhandled()
  recorder.live({ streams: () => 1, lateCustomers: () => 1 })
  recorder.liveEvent('alarms')
  recorder.snapshots(() => ({ entries: 1, bytes: 1, hits: 1, misses: 1, oldestMs: 1 }))
  const names = new Map<string, Set<string>>([['up', new Set()]])
  for (const [, name = '', labels = ''] of (await render()).matchAll(/^(\w+)(?:\{(.*?)\})? \S+$/gm)) {
    const labelNames = names.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)=/g)) labelNames.add(label)
    names.set(name, labelNames)
  }
  return names
}

const PROMETHEUS_LABELS = ['job', 'instance']

t.test('the dashboard and alerts query only metrics and labels that exist', async (t) => {
  const names = await renderedMetrics()
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  ]
  t.ok(expressions.length > 20)
  for (const expr of expressions) {
    const queriedNames = [...expr.matchAll(/\b(?:(?:gateway|nodejs|process)_\w+|up\b)/g)].map(
      ([name]) => name
    )
    t.ok(queriedNames.length > 0, expr)
    for (const name of queriedNames) t.ok(names.has(name), name)
    const labels = [...expr.matchAll(/(\w+)=~?"/g), ...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(
      ([, list = '']) => list.split(/,\s*/)
    )
    const knownLabels = [
      ...PROMETHEUS_LABELS,
      ...queriedNames.flatMap((name) => [...(names.get(name) ?? [])])
    ]
    for (const label of labels) t.ok(knownLabels.includes(label), `${label} in ${expr}`)
  }
})

t.test('the dashboard shows every metric', async (t) => {
  const shownExpressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ')
  const gatewayMetrics = [...(await renderedMetrics()).keys()].filter((name) => name.startsWith('gateway_'))
  const missing = gatewayMetrics.filter(
    (name) => !shownExpressions.includes(name.replace(/_(?:bucket|sum|count)$/, ''))
  )
  // Instead of the number of snapshots, the dashboard shows their bytes.
  t.strictSame(
    missing,
    gatewayMetrics.filter((name) => name === 'gateway_snapshots')
  )
})

t.test('each alert links its paragraph in troubleshooting.md', async (t) => {
  const paragraphs = new Map(
    [...read('troubleshooting.md').matchAll(/^### (\w+)\n\n(.+)$/gm)].map(([, name = '', text = '']) => [
      name,
      text
    ])
  )
  for (const { alert, annotations } of rules) {
    t.equal(annotations.runbook, `troubleshooting.md#${alert.toLowerCase()}`)
    t.ok((paragraphs.get(alert) ?? '').length > 60, alert)
  }
  t.strictSame(
    [...paragraphs.keys()],
    rules.map(({ alert }) => alert)
  )
})

t.test('Prometheus accepts the alert rules, and their unit tests pass', async (t) => {
  const promtool = optionalProgram(t, 'promtool')
  if (promtool === null) return
  for (const [task, name] of [
    ['check', 'alerts.yml'],
    ['test', 'alerts.test.yml']
  ] as const) {
    const path = join(ROOT, '.github/operations', name)
    const { status, stdout, stderr } = spawnSync(promtool, [task, 'rules', path], { encoding: 'utf8' })
    t.equal(status, 0, stdout + stderr)
  }
  const unitTests = read('alerts.test.yml')
  for (const { alert } of rules) t.match(unitTests, `alertname: ${alert}`)
})
