// Which answers may run scripts: the client's page and its files, and no other one, however the address is written and
// whoever refuses it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { answerMalformed, handleError, problems, sendProblem } from '#server/errors.ts'
import { canonicalPathPlugin } from '#server/http/canonical-path.ts'
import { securityPlugin } from '#server/http/security-headers.ts'
import { staticPlugin } from '#server/http/static.ts'
import { startPortal } from '#test/support/portal.ts'

const DATA = "default-src 'none';frame-ancestors 'none'"
const HTTPS = {
  OIDC_ISSUER: 'https://idp.example.com',
  OIDC_CLIENT_ID: 'x',
  OIDC_CLIENT_SECRET: 'x',
  UPSTREAM_URL: 'https://api.example.com',
  PUBLIC_URL: 'https://portal.example.com',
  TRUST_PROXY: '10.0.0.1'
}

/** Sends bytes over a connection of their own that the gateway ends; HEAD has a length and no body. */
async function sendAlone(port: number, bytes: string): Promise<{ status: number; head: string }> {
  const socket = connect(port, 'localhost')
  socket.write(bytes, 'latin1')
  const [head = ''] = (await textOf(socket)).split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head }
}

function policyOf(head: string): string | undefined {
  return /^content-security-policy: *(.*?)\r?$/im.exec(head)?.[1]
}

const root = t.testdir({ 'index.html': '<!doctype html>', 'theme.js': 'x()' })
mkdirSync(join(root, 'assets'))
writeFileSync(join(root, 'assets', 'app-1a2b3c.js'), 'y()')

/** The plugins as the gateway registers them, with routes of data beside the client. */
async function listening(t: Test): Promise<number> {
  const app = Fastify({
    routerOptions: { caseSensitive: true },
    exposeHeadRoutes: false,
    frameworkErrors: handleError,
    clientErrorHandler: answerMalformed
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  await app.register(securityPlugin, { config: readConfig(HTTPS) })
  await app.register(canonicalPathPlugin)
  await app.register(staticPlugin, { root })
  app.get('/api/data', async () => ({ html: '<script>x()</script>' }))
  app.get('/api/data/:id', async () => 'fine')
  app.get('/api/leave', async (_request, reply) => reply.redirect('/'))
  app.get('/api/broken', async () => {
    throw new Error('broken')
  })
  app.get('/api/refused', async () => {
    throw problems.forbidden()
  })
  app.post('/api/data', async () => 'fine')
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  return (app.server.address() as AddressInfo).port
}

const request = (method: string, target: string, more = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`

t.test('what is no page may run nothing, however it is asked for', async (t) => {
  const port = await listening(t)
  const json = 'Content-Type: application/json\r\nContent-Length: '
  const cases: [name: string, request: string, status: number][] = [
    ['data', request('GET', '/api/data'), 200],
    ['data under an encoded name', request('GET', '/%61pi/data'), 200],
    ['all of it encoded', request('GET', '/%61%70%69/%64ata'), 200],
    ['an object', request('GET', '/api/data/x%20y?z=1'), 200],
    ['a redirect', request('GET', '/api/leave'), 302],
    ['a refusal', request('GET', '/api/refused'), 403],
    ['a failure', request('GET', '/api/broken'), 500],
    ['an encoded failure', request('GET', '/%61pi/broken'), 500],
    ['no such data', request('GET', '/api/none'), 404],
    ['no such encoded data', request('GET', '/%61pi/none'), 404],
    ['no such data, by HEAD', request('HEAD', '/api/none'), 404],
    ['no such file', request('GET', '/assets/none.js'), 404],
    ['no such screen', request('GET', '/apis'), 404],
    ['a folder that climbs out', request('GET', '/assets/..%2findex.html'), 400],
    ['two slashes', request('GET', '//'), 400],
    ['two slashes before the name', request('GET', '//api/data'), 400],
    ['dots', request('GET', '/api/../index.html'), 400],
    ['another method', request('POST', '/', 'Content-Length: 0\r\n'), 404],
    ['a method that nothing takes', request('DELETE', '/api/data'), 404],
    ['a method that shows what was sent', request('TRACE', '/'), 404],
    ['a body that is no JSON', `${request('POST', '/api/data', `${json}1\r\n`)}{`, 400],
    ['an escape that is none', request('GET', '/api/%zz'), 400],
    ['a parameter that is no text', request('GET', '/api/data/%ff'), 400],
    ['two hosts', request('GET', '/', 'Host: other\r\n'), 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['headers without an end', request('GET', '/', `X: ${'x'.repeat(20_000)}\r\n`), 431]
  ]
  for (const [name, text, status] of cases) {
    const answer = await sendAlone(port, text)
    t.equal(answer.status, status, name)
    t.equal(policyOf(answer.head), DATA, name)
    t.match(answer.head, /^x-content-type-options: nosniff\r?$/im, name)
  }
})

t.test('the page alone may run our own scripts, also where it is not sent again', async (t) => {
  const port = await listening(t)
  const ofPage = /^default-src 'none';script-src 'self';/
  const pages = ['/', '/customers/c-1', '/%63ustomers']
  const files = ['/theme.js', '/assets/app-1a2b3c.js']
  for (const target of [...pages, ...files]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await sendAlone(port, request(method, target))
      t.equal(answer.status, 200, `${method} ${target}`)
      t.match(policyOf(answer.head), pages.includes(target) ? ofPage : DATA, `${method} ${target}`)
      t.match(answer.head, /^strict-transport-security: max-age=31536000/im)
      const etag = /^etag: *(.*?)\r?$/im.exec(answer.head)?.[1]
      // A browser takes over the headers of this answer to what it has stored (RFC 9111 §3.2).
      const again = await sendAlone(port, request(method, target, `If-None-Match: ${etag}\r\n`))
      t.equal(again.status, 304, `${method} ${target} again`)
      t.equal(policyOf(again.head), policyOf(answer.head))
    }
  }
})

t.test('https is insisted on by every answer that the gateway words', async (t) => {
  const port = await listening(t)
  for (const target of ['/', '/api/data', '/%61pi/data', '/api/none', '/api/broken', '//', '/assets/none.js'])
    t.match(
      (await sendAlone(port, request('GET', target))).head,
      /^strict-transport-security: max-age/im,
      target
    )
})

t.test('the gateway as a whole says so of what it answers', async (t) => {
  const portal = await startPortal(t)
  const port = Number(new URL(portal.url).port)
  const targets = [
    '/api/portal/v1/bootstrap',
    '/%61pi/portal/v1/bootstrap',
    '/api/%70ortal/v1/bootstrap',
    '/api/v2/management/myUser',
    '/%61pi/v2/management/myUser',
    '/api/openapi.json',
    '/api/nowhere',
    '/%61pi/nowhere',
    '/auth/session',
    '/%61uth/session',
    '/auth/login',
    '/callback?code=x&state=y',
    '/auth/nowhere',
    '//',
    '/./'
  ]
  for (const target of targets)
    for (const method of ['GET', 'HEAD', 'POST'])
      t.equal(policyOf((await sendAlone(port, request(method, target))).head), DATA, `${method} ${target}`)
})
