import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { sessionOf } from '../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

const portal = await startPortal(t)

t.test('no answer reveals the framework or our code', async (t) => {
  const cookie = await sessionOf(await portal.as('customer.admin'))
  const headers = { cookie, 'x-portal-csrf': '1', origin: portal.url, 'content-type': 'application/json' }
  const auth = ['/auth/login', '/auth/session', '/auth/nothing', '/callback']
  for (const path of [...auth, BOOTSTRAP, PROJECTS, '/api', '/api/x', '/x.js'])
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'GET' || method === 'OPTIONS' ? {} : { body: '{"x":' }
      const init = { method, redirect: 'manual', headers, ...body } as const
      const answer = await fetch(portal.url + path, init)
      t.notMatch(
        await answer.text(),
        /statusCode|FST_|node_modules|\.ts:|\bat \w+ \(|Fastify/,
        `${method} ${path}`
      )
      if (answer.status >= 400) t.match(answer.headers.get('content-type'), 'application/problem+json')
      t.ok(answer.status < 500, `${method} ${path}`)
    }
})
