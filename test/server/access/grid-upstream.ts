// The upstream of the grid. It answers forwarded calls, which have a request id, without executing them, so that no call
// affects another. The gateway's own lookups go to the sandbox, except for objects that only the grid knows. The gateway finds no
// alarms and points, which decide nothing about access.
import type { Sandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startControlledUpstream } from '../../support/controlled-upstream.ts'
import type { Test } from '../../support/teardown.ts'

export interface GridUpstream {
  url: string
  forwarded: { call: string; query: string; body: string }[]
}

const ALARMS_OR_POINTS = /\/alarms:search$|\/entitymodel\//
const NOTHING_FOUND = { page: { number: 0, size: 100, totalPages: 0, totalElements: 0 } }

export async function startGridUpstream(t: Test, sandbox: Sandbox): Promise<GridUpstream> {
  const forwarded: GridUpstream['forwarded'] = []
  const upstream = await startControlledUpstream(t, sandbox)
  upstream.rule = ({ method, target, body, request }) => {
    const { pathname, search } = new URL(target, 'http://upstream')
    const isForwarded = request.headers['x-forwarded-for'] !== undefined
    if (isForwarded) {
      forwarded.push({ call: `${method} ${pathname}`, query: search, body })
      return { status: 200 }
    }
    const answer = ALARMS_OR_POINTS.test(pathname) ? NOTHING_FOUND : ownObject(pathname)
    return answer === null ? undefined : { status: 200, body: answer }
  }
  return { url: upstream.url, forwarded }
}

export function ownObject(path: string): object | null {
  const [, kind = '', id = ''] = /\/(serviceAccounts|exports)\/\w+-of-([\w-]+)$/.exec(path) ?? []
  const link = `/organizations/${id}`
  if (kind !== '' && id === NOTABLE.partner) return { partner: link, organizationId: id, roleAssignments: [] }
  if (kind !== '') return { customer: link, customerId: id, roleAssignments: [] }
  const [, owner] = /\/(myUser|organizations\/[\w-]+)\/userInvitations$/.exec(path) ?? []
  if (owner === undefined) return null
  const name = owner === 'myUser' ? 'oneself' : owner.slice('organizations/'.length)
  return { _embedded: { userInvitations: [{ id: `invitation-of-${name}` }] } }
}
