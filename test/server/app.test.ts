import { connect } from 'node:net'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { startPortal } from '#test/support/portal.ts'
import { sessionOf } from '../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

const portal = await startPortal(t)

t.test('refuses a path that cannot be decoded with a problem', async (t) => {
  for (const path of [
    '/%',
    '/%ff',
    '/api/portal/v1/customers/%ff/projects',
    '/api/v2/management/users/%E0%A4%A'
  ]) {
    const answer = await fetch(portal.url + path)
    t.equal(answer.status, 400, path)
    t.match(answer.headers.get('content-type'), 'application/problem+json')
    t.match(await answer.json(), { type: 'urn:portal:problem:bad_request', status: 400, requestId: /./ })
  }
})

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

t.test('refuses what is no HTTP request, and goes on', async (t) => {
  const { port } = new URL(portal.url)
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), 'localhost', () => socket.end(text))
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      // It may be reset after the answer.
      socket.on('error', () => {})
      socket.once('close', () => resolve(got))
    })
  const head = 'GET /auth/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
  const refused: [name: string, text: string][] = [
    ['a header without a name', `${head}: x\r\n\r\n`],
    ['a header that is none', `${head}nonsense\r\n\r\n`],
    ['two lengths', `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    ['a length and chunks', `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['headers of 20 kB', `${head}x: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', `${head}Host: evil.example\r\n\r\n`]
  ]
  for (const [name, text] of refused) {
    const answer = await raw(text)
    t.match(answer, /^HTTP\/1\.1 4\d\d/, name)
    t.notMatch(answer, /statusCode|Client Error/)
  }
  t.match(await raw(`${head}\r\n`), /^HTTP\/1\.1 200/)
})
