// Sends calls as a given caller, and says whether one reached an upstream.
import type { Test } from 'tap'
import { type Sandbox, startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { type Target, targetOf } from './grid-oracle.ts'
import { type GridUpstream, startGridUpstream } from './grid-upstream.ts'

export interface Try {
  /** A partner admin, unless somebody else is named. */
  by?: string
  claim?: string | undefined
  body?: unknown
  query?: string
}

export interface Tries {
  sandbox: Sandbox
  upstream: GridUpstream
  portal: Portal
  /** A customer of the partner admin's integrator, a second one, and one of another integrator. */
  ours: Target
  sibling: Target
  foreign: Target
  attempt: (call: string, what: Try) => Promise<{ status: number; passed: boolean; text: string }>
  expectStatus: (t: Test, name: string, call: string, what: Try, status: number) => Promise<void>
}

export async function startTries(t: { teardown: (work: () => unknown) => void }): Promise<Tries> {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  const upstream = await startGridUpstream(t, sandbox)
  const portal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
  const target = (id: string): Target => targetOf(id, sandbox.state)

  const attempt: Tries['attempt'] = async (call, { by = 'partner.admin', claim, body, query = '' }) => {
    const [method = '', path = ''] = call.split(' ')
    const before = upstream.passed.length
    const answer = await (await portal.as(by)).call(`${path}${query && `?${query}`}`, {
      method,
      headers: {
        ...(claim === undefined ? {} : { 'x-customer-id': claim }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: answer.status, passed: upstream.passed.length > before, text }
  }

  return {
    sandbox,
    upstream,
    portal,
    ours: target(NOTABLE.northwind),
    sibling: target(NOTABLE.multi[1]),
    foreign: target(NOTABLE.otherPartnersCustomer),
    attempt,
    async expectStatus(t, name, call, what, status) {
      const given = await attempt(call, what)
      t.equal(given.status, status, name)
      t.equal(given.passed, status === 200, `${name}: ${status === 200 ? 'passed on' : 'nothing passed on'}`)
    }
  }
}
