import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import pino from 'pino'
import t from 'tap'
import { handleError, problems, sendProblem } from '#server/errors.ts'
import { canonicalPathPlugin } from '#server/http/canonical-path.ts'
import { securityPlugin } from '#server/http/security-headers.ts'
import { staticPlugin } from '#server/http/static.ts'
import { leastConfig } from '../../support/least-config.ts'

const words = (text: string) => text.trim().split(/\s+/)
const SCRIPT = `console.log('${'hashed '.repeat(100)}')`
const INDEX = '<!doctype html><title>Portal</title>'
const FOR_EVER = 'public, max-age=31536000, immutable'

const folder = t.testdir({
  'secret.txt': 'not to be served',
  client: {
    'index.html': INDEX,
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    assets: { 'app-1a2b3c.js': SCRIPT, 'style-4d5e6f.css': 'a{}' }
  }
})
const root = join(folder, 'client')
const script = join(root, 'assets/app-1a2b3c.js')
writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
writeFileSync(`${script}.gz`, gzipSync(SCRIPT))

async function gateway(root: string) {
  const logged: string[] = []
  const app = Fastify({
    exposeHeadRoutes: false,
    loggerInstance: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  })
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, problems.notFound()))
  await app.register(securityPlugin, { config: leastConfig() })
  await app.register(canonicalPathPlugin)
  await app.register(staticPlugin, { root, sessionCookie: 'portal', waitMs: 60_000 })
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  return { app, get, logged }
}

const { app, get } = await gateway(root)

t.test('sends the security headers with a compressed page', async (t) => {
  writeFileSync(join(root, 'index.html.br'), brotliCompressSync(INDEX))
  const { headers } = await get('/users', { 'accept-encoding': 'br' })
  t.match(headers, { 'content-encoding': 'br', 'content-security-policy': /script-src 'self'/ })
})

t.test('serves no page under the gateway’s own paths', async (t) => {
  for (const url of words(`
    /api /api/ /api/v1/x /api/x.js /auth /auth/x /auth/x/y /callback/ /callback/x /healthz /readyz /metrics /metrics/`)) {
    for (const accept of ['*/*', 'text/html']) {
      const answer = await get(url, { accept })
      t.equal(answer.statusCode, 404, url)
      t.match(answer.headers['content-type'], 'application/problem+json')
    }
  }
})

t.test('answers 404 to an unknown address, with the page only for browsers', async (t) => {
  for (const url of words(`
    /nowhere /apis /authors /callbacks /assets /a/b/c/ /K%C3%B6ln /Customers`)) {
    const dataAnswer = await get(url)
    t.equal(dataAnswer.statusCode, 404, url)
    t.match(dataAnswer.headers['content-type'], 'application/problem+json')
    const pageAnswer = await get(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    t.equal(pageAnswer.statusCode, 404, url)
    t.equal(pageAnswer.body, INDEX)
  }
})

t.test('answers 404 for a missing file, without the page', async (t) => {
  for (const url of words(`
    /none.js /assets/none.js /assets/app-1a2b3c.js.map /x/index.html /customers/x.json /favicon.ico`)) {
    const answer = await get(url)
    t.equal(answer.statusCode, 404, url)
    t.match(answer.headers['content-type'], 'application/problem+json')
    t.notMatch(answer.body, /ENOENT|client/)
  }
})

t.test('serves no file outside the built client', async (t) => {
  const folders = ['/../', '/..%2f', '/%2e%2e/', '/assets/../../', '/assets/..%5c..%5c', '/..\\', '//']
  for (const path of [...folders, `/${folder}/`, '/assets/%2e%2e/%2e%2e/']) {
    const url = `${path}secret.txt`
    const answer = await get(url)
    t.ok(answer.statusCode === 400 || answer.statusCode === 404, url)
    t.notMatch(answer.body, 'not to be served')
  }
})

t.test('answers HEAD like GET, without the body', async (t) => {
  for (const url of ['/', '/customers', '/favicon.svg', '/assets/app-1a2b3c.js', '/none.js', '/api/none']) {
    const [plain, head] = [await get(url), await app.inject({ method: 'HEAD', url })]
    t.equal(head.statusCode, plain.statusCode, url)
    t.equal(head.headers['content-type'], plain.headers['content-type'])
    if (plain.statusCode === 200) t.equal(head.headers['content-length'], plain.headers['content-length'])
    t.equal(head.body, '')
  }
})

t.test('serves the page at every address of a screen; browsers must revalidate it', async (t) => {
  for (const url of words(`
    / /customers /customers/c-1001/devicedetails?deviceUuid=a.b /customers/c-1001/nowhere/
    /integrators/K%C3%B6ln /errors/remote/timeout`)) {
    const answer = await get(url)
    t.equal(answer.statusCode, 200, url)
    t.equal(answer.body, INDEX)
    t.equal(answer.headers['cache-control'], 'no-cache')
    t.match(answer.headers['content-type'], 'text/html; charset=utf-8')
  }
  const { etag } = (await get('/')).headers
  const answer = await get('/customers', { 'if-none-match': String(etag) })
  t.equal(answer.statusCode, 304)
})

t.test('lets browsers cache only hashed files for ever', async (t) => {
  for (const [url, cache, type] of [
    ['/assets/app-1a2b3c.js', FOR_EVER, 'javascript'],
    ['/assets/style-4d5e6f.css', FOR_EVER, 'text/css'],
    ['/assets/%61pp-1a2b3c.js', FOR_EVER, 'javascript'],
    ['/favicon.svg', 'no-cache', 'image/svg+xml'],
    ['/index.html', 'no-cache', 'text/html']
  ] as const) {
    const answer = await get(url)
    t.equal(answer.statusCode, 200, url)
    t.equal(answer.headers['cache-control'], cache)
    t.match(answer.headers['content-type'], type)
  }
})

t.test('sends files compressed at build time if the client accepts them', async (t) => {
  const cases: [accepts: string, encoding: string | undefined][] = [
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0', 'gzip']
  ]
  const unpack: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }
  for (const [accepts, encoding] of cases) {
    const { headers, rawPayload } = await get('/assets/app-1a2b3c.js', { 'accept-encoding': accepts })
    t.equal(headers['content-encoding'], encoding, accepts)
    const text = encoding ? unpack[encoding]?.(rawPayload) : rawPayload
    t.equal(text?.toString(), SCRIPT)
    t.match(headers['content-type'], 'javascript')
    t.equal(headers['cache-control'], FOR_EVER)
    t.match(headers.vary, 'accept-encoding')
  }
  const style = await get('/assets/style-4d5e6f.css', { 'accept-encoding': 'br' })
  t.equal(style.headers['content-encoding'], undefined, 'sends a file without a compressed version as is')
})

t.test('logs that the client was not built, but does not show this to visitors', async (t) => {
  const { get, logged } = await gateway(t.testdir({}))
  const answer = await get('/')
  t.equal(answer.statusCode, 500)
  t.notMatch(answer.body, /npm|build/)
  t.match(logged.join(''), 'npm run build')
})
