// The upstreams of the grid. A call that was passed on carries a request id and is answered without being carried out, so that no cell changes another; what the gateway looks up for itself is answered by the sandbox, and where the
// grid names objects of its own, here.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'

/** What tap gives a test; only the part that is used. */
interface Test {
  teardown: (work: () => unknown) => void
}

export interface GridUpstream {
  url: string
  /** What was passed on: method and path, the query and the body as they came. */
  passed: { call: string; query: string; body: string }[]
}

/** Starts it. */
export async function startGridUpstream(t: Test, sandbox: Sandbox): Promise<GridUpstream> {
  const passed: GridUpstream['passed'] = []
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://upstream')
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.headers['x-request-id'] !== undefined) {
      passed.push({ call: `${request.method} ${pathname}`, query: search, body })
      return send(response, 200, {})
    }
    const known = ownObject(pathname)
    if (known !== null) return send(response, 200, known)
    const { authorization = '' } = request.headers
    const { method = 'GET' } = request
    const answer = await fetch(`${sandbox.url}${pathname}${search}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === '' ? {} : { body })
    })
    send(response, answer.status, await answer.json())
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, passed }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Service accounts, exports and invitations are named after the organization that has them. */
export function ownObject(path: string): object | null {
  const [, kind = '', id = ''] = /\/(serviceAccounts|exports)\/\w+-of-([\w-]+)$/.exec(path) ?? []
  const link = `/organizations/${id}`
  if (kind !== '' && id === NOTABLE.partner) return { partner: link, organizationId: id, roleAssignments: [] }
  if (kind !== '') return { customer: link, customerId: id, roleAssignments: [] }
  const [, holder] = /\/(myUser|organizations\/[\w-]+)\/userInvitations$/.exec(path) ?? []
  if (holder === undefined) return null
  const name = holder === 'myUser' ? 'oneself' : holder.slice('organizations/'.length)
  return { _embedded: { userInvitations: [{ id: `invitation-of-${name}` }] } }
}
