// Sends calls as a given caller, and reports whether they reached an upstream.
import type { Test } from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { type Target, targetOf } from './grid-oracle.ts'
import { startGridUpstream } from './grid-upstream.ts'

interface Try {
  /** A partner admin by default. */
  by?: string
  claim?: string | undefined
  body?: unknown
  query?: string
}

export async function startTries(t: Pick<Test, 'teardown' | 'beforeEach'>) {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  const upstream = await startGridUpstream(t, sandbox)
  const portal = await startPortal(t, { startedSandbox: sandbox, env: { UPSTREAM_URL: upstream.url } })
  const target = (id: string): Target => targetOf(id, sandbox.state)
  t.beforeEach(() => {
    upstream.forwarded.length = 0
  })

  async function attempt(call: string, { by = 'partner.admin', claim, body, query = '' }: Try) {
    const [method = '', path = ''] = call.split(' ')
    const before = upstream.forwarded.length
    const answer = await (await portal.as(by)).call(`${path}${query && `?${query}`}`, {
      method,
      headers: {
        ...(claim === undefined ? {} : { 'x-customer-id': claim }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    return { status: answer.status, forwarded: upstream.forwarded.length > before, text }
  }

  return {
    sandbox,
    upstream,
    portal,
    // Two customers of the partner admin's integrator, and one of another integrator.
    ours: target(NOTABLE.northwind),
    sibling: target(NOTABLE.multi[1]),
    foreign: target(NOTABLE.otherPartnersCustomer),
    attempt,
    /** An allowed call must reach the upstream, a refused call must not. */
    async expectStatus(t: Test, name: string, call: string, options: Try, status: number) {
      const result = await attempt(call, options)
      t.strictSame([result.status, result.forwarded], [status, status === 200], name)
    }
  }
}
