// Files are fetched by the gateway from where an API keeps them: streamed, resumable, safely named, without a token.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { Problem } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const DOWNLOAD = `/api/v1/recover/customers/${NOTABLE.northwind}/backups/b-1/download`

const api = await startTinyUpstream(t)
let serve: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
  response.end()
const asked: IncomingMessage[] = []
const host = createServer((request, response) => {
  asked.push(request)
  serve(request, response)
})
await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
t.teardown(() => {
  host.closeAllConnections()
  host.close()
})
const { port } = host.address() as AddressInfo
const fileUrl = `http://127.0.0.1:${port}/files/secret-1/backup.dist?x=1`
const env = { UPSTREAM_RECOVER_URL: api.url }
const backend = createMemoryBackend(Date.now)
t.teardown(() => backend.close())
const sessions = { backend, secrets: ['s'.repeat(32)] }
const portal = await startPortal(t, { ...sessions, env: { ...env, DOWNLOAD_HOSTS: '127.0.0.1,localhost' } })
const { sandbox } = portal
const browser = await portal.as('partner.admin')

const leadTo = (location: string) => {
  api.answer = (_request, response) => response.writeHead(302, { location }).end()
}
t.beforeEach(() => {
  asked.length = 0
  leadTo(fileUrl)
})

t.test('a file that has gone, or an address that is none, is told as a problem', async (t) => {
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
    leadTo(location)
    t.equal((await browser.call(DOWNLOAD)).status, 502, location)
  }
  t.equal(asked.length, 3)
})

t.test('a host that is not declared is not asked, however it is written', async (t) => {
  const portal = await startPortal(t, {
    env: { ...env, DOWNLOAD_HOSTS: '127.0.0.1' },
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
    `http://127.0.0.1.example.com:${port}/x`,
    `http://127.0.0.1%2eexample.com:${port}/x`,
    `http://elsewhere.example/127.0.0.1`,
    `http://elsewhere.example#127.0.0.1`,
    `http://elsewhere.example?@127.0.0.1`,
    `http://127.0.0.1@elsewhere.example/x`,
    `http://:@localhost:${port}/x`,
    `http://:pw@127.0.0.1:${port}/x`,
    '/files/of-the-api-itself'
  ]) {
    leadTo(location)
    t.equal((await browser.call(DOWNLOAD)).status, 502, location)
  }
  t.equal(asked.length, 0)
  t.match(
    portal.logged.filter((line) => line.includes('DOWNLOAD_HOSTS')).join(),
    /elsewhere\.example, which is none of DOWNLOAD_HOSTS/,
    'operators learn which host, and which setting'
  )
})

t.test('a declared host may be written in any way that is the same host', async (t) => {
  serve = (_request, response) => response.end('file content')
  for (const name of ['127.0.0.1', '127.0.0.1.', '0x7f.1', '2130706433', '%31%32%37.0.0.1']) {
    leadTo(`http://${name}:${port}/x`)
    t.equal((await browser.call(DOWNLOAD)).status, 200, name)
  }
})

t.test('with no hosts declared, files come from the hosts of the APIs and no other', async (t) => {
  serve = (_request, response) => response.end('file content')
  await new Promise<void>((resolve) => host.close(() => resolve()).closeAllConnections())
  await new Promise<void>((resolve) => host.listen(port, 'localhost', resolve))
  const portal = await startPortal(t, { env, startedSandbox: sandbox })
  const browser = await portal.as('partner.admin')
  for (const [location, status] of [
    [`http://LocalHost:${port}/x`, 200],
    [`http://localhost.:${port}/x`, 502],
    [`http://localhost.example.com:${port}/x`, 502],
    [fileUrl, 502]
  ] as const) {
    leadTo(location)
    t.equal((await browser.call(DOWNLOAD)).status, status, location)
  }
  t.equal(asked.length, 1)
  await new Promise<void>((resolve) => host.close(() => resolve()).closeAllConnections())
  await new Promise<void>((resolve) => host.listen(port, '127.0.0.1', resolve))
})

t.test('an address that leads on is not followed', async (t) => {
  serve = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  t.equal((await browser.call(DOWNLOAD)).status, 502)
  t.equal(asked.length, 1)
})

t.test('a host that never answers ends with 504', async (t) => {
  serve = () => {}
  const hasty = await startPortal(t, {
    ...sessions,
    startedSandbox: sandbox,
    env: { ...env, DOWNLOAD_HOSTS: '127.0.0.1', UPSTREAM_TIMEOUT_MS: '500' }
  })
  t.equal((await new Browser(hasty.url, browser.jar).call(DOWNLOAD)).status, 504)
})

t.test(
  'the browser gets the file, and the host gets no token, cookie or address of the person',
  async (t) => {
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
    t.notMatch(decodeURIComponent(disposition), /[/\\]|"\./, 'no folder and no hidden file')
    const [request] = asked
    t.equal(request?.url, '/files/secret-1/backup.dist?x=1')
    t.equal(request?.headers.authorization, undefined)
    t.equal(request?.headers.cookie, undefined)
    t.equal(request?.headers['x-forwarded-for'], undefined)
  }
)

t.test('a download is resumed where it broke off', async (t) => {
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

const LOOK_EVERY_BYTES = 8 * 1024 * 1024

t.test('two hundred megabytes pass without being held in memory', async (t) => {
  const CHUNK = Buffer.alloc(1024 * 1024, 'x')
  const CHUNKS = 200
  serve = async (_request, response) => {
    response.writeHead(200, { 'content-length': CHUNK.length * CHUNKS })
    for (let sent = 0; sent < CHUNKS; sent += 1) {
      if (!response.write(CHUNK)) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end()
  }
  // What is garbage is not held: when it is collected is the engine's business.
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const held = () => {
    collectGarbage()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return arrayBuffers + heapUsed
  }
  const before = held()
  let most = 0
  let looks = 0
  let bytes = 0
  const answer = await browser.call(DOWNLOAD)
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes < looks * LOOK_EVERY_BYTES) continue
    looks += 1
    most = Math.max(most, held() - before)
  }
  t.equal(bytes, CHUNK.length * CHUNKS)
  t.ok(looks >= 20, `it was looked at ${looks} times`)
  t.ok(most < 40 * CHUNK.length, `${Math.round(most / CHUNK.length)} MB at most`)
})

t.test(
  'a file that vanishes while it is fetched fails there, and is not taken for a whole one',
  async (t) => {
    for (const told of [true, false]) {
      serve = (request, response) => {
        response.writeHead(200, told ? { 'content-length': 1_000_000 } : {})
        response.write(Buffer.alloc(200_000), () => request.socket.destroy())
      }
      const answer = await browser.call(DOWNLOAD)
      t.equal(answer.status, 200)
      await t.rejects(answer.arrayBuffer(), told ? 'its length was told' : 'its length was not told')
    }
  }
)

t.test('a person who goes away ends the fetch', async (t) => {
  let closed = false
  serve = (request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 }).write('begun')
    request.once('close', () => {
      closed = true
    })
  }
  const gone = new AbortController()
  const answer = await browser.call(DOWNLOAD, { signal: gone.signal })
  t.equal(answer.status, 200)
  gone.abort()
  t.ok(await eventually(() => closed))
})

t.test('an API that has the file itself is passed on as an attachment', async (t) => {
  api.answer = (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-disposition': 'inline; filename="a.html"' })
      .end('<p>')
  const answer = await browser.call(DOWNLOAD)
  t.equal(await answer.text(), '<p>')
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename=a.html')
})

t.test(
  'an export is fetched by a plain link: whose it is may stand in the query, and is proved',
  async (t) => {
    const listed = await browser.call(`/api/v1/egress/exports?customerId=${NOTABLE.northwind}&status=READY`)
    const list = (await listed.json()) as { _embedded: { exports: { id: string }[] } }
    const [one] = list._embedded.exports
    const path = `/api/v1/egress/exports/${one?.id}/download`
    t.equal((await browser.call(path)).status, 400, 'nobody is named')
    t.equal((await browser.call(`${path}?customerId=${NOTABLE.otherPartnersCustomer}`)).status, 403)
    t.equal(
      (await browser.call(`${path}?customerId=${NOTABLE.withoutProjects}`)).status,
      404,
      'not that customer’s'
    )
    const answer = await browser.call(`${path}?customerId=${NOTABLE.northwind}`)
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-disposition'), /^attachment; filename=/)
  }
)
