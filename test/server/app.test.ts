import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { sessionOf } from '../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

const portal = await startPortal(t)

t.test('shows nothing of the framework or our code in any answer', async (t) => {
  const cookie = await sessionOf(await portal.as('customer.admin'))
  const headers = { cookie, 'x-portal-csrf': '1', origin: portal.url }
  const paths = [
    '/auth/login',
    '/auth/session',
    '/auth/nothing',
    '/callback',
    BOOTSTRAP,
    '/api',
    '/api/x',
    '/x.js',
    PROJECTS
  ]
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const body = method === 'GET' || method === 'OPTIONS' ? {} : { body: '{"x":' }
      const type = { ...headers, 'content-type': 'application/json' }
      const answer = await fetch(portal.url + path, { method, redirect: 'manual', headers: type, ...body })
      const text = await answer.text()
      t.notMatch(
        text,
        /statusCode|FST_|node_modules|\.ts:|\bat \w+ \(|Fastify/,
        `${method} ${path} ${answer.status}`
      )
      if (answer.status >= 400) t.match(answer.headers.get('content-type'), 'application/problem+json')
      t.ok(answer.status < 500, `${method} ${path} is no 5xx`)
    }
  }
})
