import { type AddressInfo, connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { answerMalformed, DATA_HEADERS, handleError, problems, sendProblem } from '#server/errors.ts'
import { canonicalPathPlugin } from '#server/http/canonical-path.ts'
import { securityPlugin } from '#server/http/security-headers.ts'
import { staticPlugin } from '#server/http/static.ts'
import { leastConfig } from '../../support/least-config.ts'

const HTTPS = { PUBLIC_URL: 'https://portal.example.com', TRUST_PROXY: '10.0.0.1' }
const root = t.testdir({
  'index.html': '<!doctype html>',
  'theme.js': 'x()',
  assets: { 'app-1a2b3c.js': 'y()' }
})

async function listen(t: Test, env: Record<string, string> = {}): Promise<number> {
  const app = Fastify({
    routerOptions: { caseSensitive: true },
    exposeHeadRoutes: false,
    frameworkErrors: handleError,
    clientErrorHandler: answerMalformed
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  await app.register(securityPlugin, { config: leastConfig(env) })
  await app.register(canonicalPathPlugin)
  await app.register(staticPlugin, { root, sessionCookie: 'portal', waitMs: 60_000 })
  app.get('/api/data', async () => ({ html: '<script>x()</script>' }))
  app.get('/api/data/:id', async () => 'fine')
  app.get('/api/leave', async (_request, reply) => reply.redirect('/'))
  app.get('/api/broken', async () => {
    throw new Error('broken')
  })
  app.post('/api/data', async () => 'fine')
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  return (app.server.address() as AddressInfo).port
}

/** Sends bytes and reads to the end of the connection: an answer to HEAD has a length but no body. */
async function sendAlone(port: number, bytes: string): Promise<{ status: number; head: string }> {
  const socket = connect(port, 'localhost')
  socket.write(bytes, 'latin1')
  const [head = ''] = (await textOf(socket)).split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head }
}

const request = (method: string, target: string, extraHeaders = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${extraHeaders}\r\n`
const headerOf = (head: string, name: string) => new RegExp(`^${name}: *(.*?)\r?$`, 'im').exec(head)?.[1]
const policyOf = (head: string) => headerOf(head, 'content-security-policy') ?? ''
const DATA = "default-src 'none';frame-ancestors 'none'"

t.test('forbids scripts in every answer that is not a page', async (t) => {
  const port = await listen(t, HTTPS)
  const json = 'Content-Type: application/json\r\nContent-Length: '
  const cases: [name: string, request: string, status: number][] = [
    ['data', request('GET', '/api/data'), 200],
    ['an encoded path', request('GET', '/%61%70%69/%64ata'), 200],
    ['an object', request('GET', '/api/data/x%20y?z=1'), 200],
    ['a redirect', request('GET', '/api/leave'), 302],
    ['an encoded failure', request('GET', '/%61pi/broken'), 500],
    ['missing data', request('GET', '/api/none'), 404],
    ['data, by HEAD', request('HEAD', '/api/data'), 404],
    ['missing data, by HEAD', request('HEAD', '/api/none'), 404],
    ['a missing file', request('GET', '/assets/none.js'), 404],
    ['a missing screen', request('GET', '/apis'), 404],
    ['a path outside the folder', request('GET', '/assets/..%2findex.html'), 400],
    ['two slashes', request('GET', '//'), 400],
    ['dots', request('GET', '/api/../index.html'), 400],
    ['another method', request('POST', '/', 'Content-Length: 0\r\n'), 404],
    ['a method that echoes the request', request('TRACE', '/'), 404],
    ['a body that is not JSON', `${request('POST', '/api/data', `${json}1\r\n`)}{`, 400],
    ['a malformed escape', request('GET', '/api/%zz'), 400],
    ['a parameter that is not UTF-8', request('GET', '/api/data/%ff'), 400],
    ['two hosts', request('GET', '/', 'Host: other\r\n'), 400],
    ['two lengths', request('GET', '/', 'Content-Length: 1\r\nContent-Length: 2\r\n'), 400],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['headers that are too long', request('GET', '/', `X: ${'x'.repeat(20_000)}\r\n`), 431]
  ]
  for (const [name, text, status] of cases) {
    const answer = await sendAlone(port, text)
    t.equal(answer.status, status, name)
    for (const [header, value] of Object.entries(DATA_HEADERS))
      t.equal(headerOf(answer.head, header), value, `${name}: ${header}`)
    t.notMatch(answer.head, /x-powered-by|access-control-/i)
    // Node refuses malformed requests before any hook.
    if (![400, 431].includes(status))
      t.match(headerOf(answer.head, 'strict-transport-security'), /^max-age=31536000/, name)
  }
  t.equal(DATA_HEADERS['content-security-policy'], DATA)
})

t.test('allows only our own scripts and styles, and no framing of the page, also on a 304', async (t) => {
  const port = await listen(t, HTTPS)
  for (const target of ['/', '/customers/c-1', '/%63ustomers', '/theme.js', '/assets/app-1a2b3c.js'])
    for (const method of ['GET', 'HEAD']) {
      const { status, head } = await sendAlone(port, request(method, target))
      t.equal(status, 200, `${method} ${target}`)
      if (target.endsWith('.js')) t.equal(policyOf(head), DATA, target)
      else
        t.equal(
          policyOf(head),
          "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
            "manifest-src 'self';frame-src 'none';form-action 'self';base-uri 'none';frame-ancestors 'none'"
        )
      t.match(headerOf(head, 'strict-transport-security'), /^max-age=31536000/)
      for (const [header, value] of Object.entries(DATA_HEADERS))
        if (header !== 'content-security-policy') t.equal(headerOf(head, header), value, header)
      // Browsers apply the headers of a 304 to the stored answer (RFC 9111, section 3.2).
      const etag = headerOf(head, 'etag')
      t.equal(etag === undefined, target.startsWith('/assets/'), 'immutable files have no ETag')
      if (etag === undefined) continue
      const cachedAnswer = await sendAlone(port, request(method, target, `If-None-Match: ${etag}\r\n`))
      t.equal(cachedAnswer.status, 304, `${method} ${target} again`)
      t.equal(policyOf(cachedAnswer.head), policyOf(head))
    }
})

t.test('allows frames only of the logout addresses, and sends no HSTS without https', async (t) => {
  const port = await listen(t, {
    LOGOUT_URLS: 'https://a.example/out?x=1;y,https://b.example:8443/z;v=1,https://c.example'
  })
  const { head } = await sendAlone(port, request('GET', '/'))
  const frames = 'https://a.example/out https://b.example:8443/z%3Bv=1 https://c.example/'
  t.match(policyOf(head), `;frame-src ${frames};`)
  t.equal(headerOf(head, 'strict-transport-security'), undefined)
})
