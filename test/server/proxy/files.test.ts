import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { closeServer } from '../../support/close-server.ts'
import { eventually } from '../../support/eventually.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const DOWNLOAD = `/api/v1/recover/customers/${NOTABLE.northwind}/backups/b-1/download`

const api = await startTinyUpstream(t)
let serve: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
  response.end()
const received: IncomingMessage[] = []
const host = createServer((request, response) => {
  received.push(request)
  serve(request, response)
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
t.teardown(() => closeServer(host))
const { port } = host.address() as AddressInfo
const fileUrl = `http://127.0.0.1:${port}/files/secret-1/backup.dist?x=1`
const otherHost = await startTinyUpstream(t)
const env = { UPSTREAM_RECOVER_URL: api.url }
const backend = createMemoryBackend(Date.now)
t.teardown(() => backend.close())
const sessions = { backend, secrets: ['s'.repeat(32)] }
const sandbox = await openSandbox(t)
const DOWNLOAD_HOSTS = `127.0.0.1:${port},localhost:${port},${new URL(sandbox.url).host}`
const portal = await startPortal(t, { ...sessions, startedSandbox: sandbox, env: { ...env, DOWNLOAD_HOSTS } })
const browser = await portal.as('partner.admin')

const redirectTo = (location: string) => {
  api.answer = (_request, response) => response.writeHead(302, { location }).end()
}
t.beforeEach(() => {
  received.length = 0
  redirectTo(fileUrl)
})

t.test('answers with a problem for a missing file or a malformed address', async (t) => {
  for (const status of [404, 410, 500]) {
    serve = (_request, response) => response.writeHead(status).end('<h1>internal host 10.0.0.7</h1>')
    const answer = await browser.call(DOWNLOAD)
    t.equal(answer.status, status === 500 ? 502 : status)
    t.notMatch(JSON.stringify((await answer.json()) as Problem), /10\.0\.0\.7/)
  }
  for (const location of [
    'file:///etc/passwd',
    'ftp://elsewhere.example/x',
    'http://user:pw@127.0.0.1/x',
    'http://['
  ]) {
    redirectTo(location)
    t.equal((await browser.call(DOWNLOAD)).status, 502, location)
  }
  t.equal(received.length, 3)
})

t.test('does not fetch from an undeclared host or port', async (t) => {
  const portal = await startPortal(t, {
    env: { ...env, DOWNLOAD_HOSTS: `127.0.0.1:${port},localhost` },
    startedSandbox: sandbox
  })
  const browser = await portal.as('partner.admin')
  for (const location of [
    `http://localhost:${port}/x`,
    `//localhost:${port}/x`,
    `http:\\\\localhost:${port}\\x`,
    `http://[::1]:${port}/x`,
    `http://[::ffff:127.0.0.1]:${port}/x`,
    `http://127.0.0.2:${port}/x`,
    'http://127.0.0.1/x',
    `${otherHost.url}/x`,
    `https://127.0.0.1/x`,
    `http://127.0.0.1.example.com:${port}/x`,
    `http://127.0.0.1%2eexample.com:${port}/x`,
    `http://elsewhere.example?@127.0.0.1:${port}`,
    `http://127.0.0.1@elsewhere.example/x`,
    `http://:@localhost:${port}/x`,
    `http://:pw@127.0.0.1:${port}/x`,
    '/files/of-the-api-itself'
  ]) {
    redirectTo(location)
    t.equal((await browser.call(DOWNLOAD)).status, 502, location)
  }
  t.equal(received.length + otherHost.received.length, 0)
  redirectTo('http://localhost/x')
  t.not((await browser.call(DOWNLOAD)).status, 502, 'a host without a port uses the default port')
  t.match(
    portal.logged.filter((line) => line.includes('DOWNLOAD_HOSTS')).join(),
    /elsewhere\.example:?\d* is not in DOWNLOAD_HOSTS/,
    'logs the host and the setting'
  )
})

t.test('fetches only from the APIs’ hosts if no hosts are declared', async (t) => {
  const portal = await startPortal(t, { env, startedSandbox: sandbox })
  const browser = await portal.as('partner.admin')
  const { port: apiPort } = new URL(api.url)
  for (const [location, status] of [
    [`http://LocalHost:${apiPort}/x`, 200],
    ['/files/of-the-api-itself', 200],
    ['http://localhost/x', 502],
    [`http://localhost.:${apiPort}/x`, 502],
    [`${otherHost.url}/x`, 502],
    [fileUrl, 502]
  ] as const) {
    api.answer = ({ url = '' }, response) =>
      url.endsWith('/download') ? response.writeHead(302, { location }).end() : response.end('file content')
    t.equal((await browser.call(DOWNLOAD)).status, status, location)
  }
  t.equal(received.length + otherHost.received.length, 0)
})

t.test('does not follow a second redirect', async (t) => {
  serve = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  t.equal((await browser.call(DOWNLOAD)).status, 502)
  t.equal(received.length, 1)
})

t.test('answers 504 when the host does not answer', async (t) => {
  serve = () => {}
  const hastyPortal = await startPortal(t, {
    ...sessions,
    startedSandbox: sandbox,
    env: { ...env, DOWNLOAD_HOSTS: `127.0.0.1:${port}`, UPSTREAM_TIMEOUT_MS: '500' }
  })
  t.equal((await new Browser(hastyPortal.url, browser.jar).call(DOWNLOAD)).status, 504)
})

t.test('does not send a token, cookie or client address to the file host', async (t) => {
  serve = (_request, response) =>
    response
      .writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fp%C3%A4ss.dist",
        'accept-ranges': 'bytes',
        etag: '"v1"',
        'set-cookie': 'a=b'
      })
      .end('file content')
  const answer = await browser.call(DOWNLOAD)
  t.equal(answer.status, 200)
  t.equal(await answer.text(), 'file content')
  t.equal(answer.headers.get('location'), null)
  t.equal(answer.headers.get('set-cookie'), null)
  t.equal(answer.headers.get('accept-ranges'), 'bytes')
  const disposition = answer.headers.get('content-disposition') ?? ''
  t.match(disposition, /^attachment; filename/)
  t.notMatch(decodeURIComponent(disposition), /[/\\]|"\./, 'names neither a folder nor a hidden file')
  const [request] = received
  t.equal(request?.url, '/files/secret-1/backup.dist?x=1')
  t.equal(request?.headers.authorization, undefined)
  t.equal(request?.headers.cookie, undefined)
  t.equal(request?.headers['x-forwarded-for'], undefined)
})

t.test('resumes a download', async (t) => {
  serve = (request, response) => {
    t.equal(request.headers.range, 'bytes=5-')
    t.equal(request.headers['if-range'], '"v1"')
    response.writeHead(206, { 'content-range': 'bytes 5-11/12' }).end('content')
  }
  const answer = await browser.call(DOWNLOAD, { headers: { range: 'bytes=5-', 'if-range': '"v1"' } })
  t.equal(answer.status, 206)
  t.equal(answer.headers.get('content-range'), 'bytes 5-11/12')
  t.equal(await answer.text(), 'content')
})

t.test('closes the connection to the client if the file host closes its connection', async (t) => {
  for (const hasLength of [true, false]) {
    serve = (request, response) => {
      response.writeHead(200, hasLength ? { 'content-length': 1_000_000 } : {})
      response.write(Buffer.alloc(200_000), () => request.socket.destroy())
    }
    const answer = await browser.call(DOWNLOAD)
    t.equal(answer.status, 200)
    await t.rejects(answer.arrayBuffer(), hasLength ? 'with a declared length' : 'without a declared length')
  }
})

t.test('cancels the fetch when the client disconnects', async (t) => {
  let isDisconnected = false
  serve = (request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 }).write('begun')
    request.once('close', () => {
      isDisconnected = true
    })
  }
  const aborter = new AbortController()
  const answer = await browser.call(DOWNLOAD, { signal: aborter.signal })
  t.equal(answer.status, 200)
  aborter.abort()
  t.ok(await eventually(() => isDisconnected))
})

t.test('forwards a file of the API itself as an attachment; the default name is download', async (t) => {
  for (const [disposition, expected] of [
    ['in;line; file=', 'attachment; filename=download'],
    ['inline', 'attachment; filename=download'],
    ['inline; filename="a.html"', 'attachment; filename=a.html'],
    // The longest name would end with half of a character.
    [
      `inline; filename*=UTF-8''${'a'.repeat(149)}%F0%9F%98%80`,
      `attachment; filename="${'a'.repeat(149)}?"; filename*=UTF-8''${'a'.repeat(149)}%EF%BF%BD`
    ]
  ] as const) {
    api.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-disposition': disposition }).end('<p>')
    const answer = await browser.call(DOWNLOAD)
    t.equal(await answer.text(), '<p>')
    t.equal(answer.headers.get('content-disposition'), expected, disposition)
  }
})

t.test('fetches an export by a link whose query names the customer', async (t) => {
  const listAnswer = await browser.call(`/api/v1/egress/exports?customerId=${NOTABLE.northwind}&status=READY`)
  const list = (await listAnswer.json()) as { _embedded: { exports: { id: string }[] } }
  const [readyExport] = list._embedded.exports
  const path = `/api/v1/egress/exports/${readyExport?.id}/download`
  t.equal((await browser.call(path)).status, 400, 'the customer is missing')
  t.equal((await browser.call(`${path}?customerId=${NOTABLE.otherPartnersCustomer}`)).status, 403)
  t.equal(
    (await browser.call(`${path}?customerId=${NOTABLE.withoutProjects}`)).status,
    404,
    'the export belongs to another customer'
  )
  const answer = await browser.call(`${path}?customerId=${NOTABLE.northwind}`)
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-disposition'), /^attachment; filename=/)
})
