// What is authorised is what is sent: a hundred thousand addresses, bent in every way that some parser reads otherwise,
// and none of them makes an upstream see a path that its caller has no right to.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import type { FuzzReport } from './path-fuzz-run.ts'
import { objection, readings } from './path-oracle.ts'

const PATHS_AT_LEAST = 100_000

/** Runs the program without the instruments of the test runner. */
function run(program: string): Promise<FuzzReport> {
  const { NODE_OPTIONS: _instruments, ...env } = process.env
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(said))
      else reject(new Error(`${program} ended with ${code}: ${said}`))
    })
  })
}

t.test('whoever may have what is known: the oracle knows what is plain', async (t) => {
  const { state, stop } = await startSandbox()
  t.teardown(stop)
  const me = state.users.get('u-customer-user')
  if (!me) return t.fail('there is no customer.user')
  const object = (method: string, target: string) => objection(state, me, method, target) !== null
  const mine = `/api/v2/management/organizations/${NOTABLE.northwind}`
  const theirs = `/api/v2/management/organizations/${NOTABLE.otherPartnersCustomer}`
  t.notOk(object('GET', `${mine}/projects`))
  t.ok(object('GET', `${theirs}/projects`))
  t.ok(object('GET', `${mine}/users`), 'a customer user sees no users')
  t.ok(object('GET', '/api/v2/management/nothing'), 'what is in no table')
  for (const bent of [
    '/../../c-2001/projects',
    '/%2e%2e/%252e%252e/c-2001/projects',
    '\\..\\..\\c-2001\\projects'
  ])
    t.ok(object('GET', `${mine}/projects${bent}`), bent)
  for (const bent of [';a=b/projects', '//projects', '/./projects', '/Projects', '/%70rojects', '/projects/'])
    t.ok(object('GET', `${theirs}${bent}`), bent)
  t.ok(object('GET', `/api/v1/egress/exports?customerId=${NOTABLE.northwind}&CustomerID[]=c-2001`))
  t.notOk(object('GET', `/api/v1/egress/exports?customerId=${NOTABLE.northwind}&page=1`))
  t.ok(object('GET', '/api/v1/egress/exports'))
  t.ok(readings('/a/%252e%252e/B;c//d').has('/b/d'))
})

t.test('of a hundred thousand bent addresses none reaches what its caller has no right to', async (t) => {
  const report = await run('path-fuzz-run.ts')
  t.comment(`seed ${report.seed}, ${report.milliseconds} ms, ${report.passedOn} passed on`, report.statuses)
  t.ok(report.paths >= PATHS_AT_LEAST || process.env.FUZZ_PATHS)
  t.strictSame(report.failures, [], 'each is answered, and none with a failure of ours')
  t.strictSame(report.escapes, [])
  t.ok(report.passedOn > report.paths / 50, `${report.passedOn} were passed on`)
  t.ok(
    report.rows.reached > report.rows.of / 2,
    `${report.rows.reached} of ${report.rows.of} rows were reached`
  )

  const odd = report.lookups.filter((target) => {
    const path = target.split('?')[0] ?? ''
    const decoded = decodeURIComponent(path)
    return (
      !/^(?:\/[\w.~!*'()%-]+)+$/.test(path) || /\/\.{0,2}(?:\/|$)/.test(decoded) || /[\\;?#]/.test(decoded)
    )
  })
  t.strictSame(odd, [], 'what the gateway asks for itself can be read in one way only')
  t.ok(report.lookups.length > 20)
  t.strictSame(report.unexpected, [], 'nothing is in the log that was not foreseen')
})
