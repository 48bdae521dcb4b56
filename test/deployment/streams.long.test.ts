// Live streams through each proxy with the shipped configuration: events arrive one by one and at once, also over HTTP/2.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { freePort, startPortal } from '#test/support/portal.ts'
import { eventually } from '../support/eventually.ts'
import { prepareHaproxy } from '../support/haproxy.ts'
import { optionalProgram } from '../support/machine.ts'
import { createPrivateAuthority } from '../support/private-authority.ts'
import { openSandbox } from '../support/scenes/gateway.ts'
import { cookiesOf } from '../support/visits.ts'
import { ROOT } from './image-files.ts'

const EVENTS = `/api/portal/v1/events?customerId=${NOTABLE.northwind}`
/** Longer than a flush of any proxy, and shorter than the heartbeat. */
const AT_ONCE_MS = 10_000

const read = (name: string) => readFileSync(join(ROOT, '.github/operations', name), 'utf8')
const sandbox = await openSandbox(t)
const portal = await startPortal(t, { startedSandbox: sandbox })
const person = await portal.as('partner.admin')
const cookie = await cookiesOf(person)
const { port } = new URL(portal.url)

function run(t: Test, command: string, parameters: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: tmpdir() }
  const child = spawn(command, parameters, { env, stdio: 'ignore' })
  const exit = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return child
}

async function renameProject(): Promise<void> {
  const [project] = sandbox.state.projects.of(NOTABLE.northwind)
  const answer = await person.call(`/api/v2/management/projects/${project?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({ projectName: `Renamed ${performance.now()}` })
  })
  t.equal(answer.status, 200)
}

/** Reads the stream at the proxy over HTTP/2, without checking its certificate. */
async function follow(t: Test, origin: string) {
  const session = await eventually(async () => {
    const candidate = connect(origin, { rejectUnauthorized: false })
    await once(candidate, 'connect').catch(() => {})
    return candidate.destroyed ? undefined : candidate
  })
  t.teardown(() => session.destroy())
  const stream = session.request({ ':path': EVENTS, cookie, 'x-portal-csrf': '1' })
  const received = { text: '' }
  stream.setEncoding('utf8').on('data', (text) => {
    received.text += text
  })
  const [headers] = await once(stream, 'response')
  t.equal(headers[':status'], 200)
  t.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  t.equal(headers['content-encoding'], undefined)
  return received
}

async function arrivesAtOnce(t: Test, origin: string): Promise<void> {
  const received = await follow(t, origin)
  const inventoryEvents = () => received.text.split('event: inventory\n').length - 1
  await eventually(() => inventoryEvents() === 1, AT_ONCE_MS)
  await renameProject()
  await eventually(() => inventoryEvents() === 2, AT_ONCE_MS)
}

t.test('HAProxy', async (t) => {
  if (optionalProgram(t, 'haproxy') === null) return
  const haproxy = await prepareHaproxy(t)
  // Health is not asked for: any port that answers 200 to every path is healthy.
  const metricsPort = await healthyPort(t)
  await haproxy.start({ port: Number(port), metricsPort, addresses: () => ['127.0.0.1'] })
  await arrivesAtOnce(t, haproxy.url)
})

t.test('nginx', async (t) => {
  const command = optionalProgram(t, 'nginx')
  if (command === null) return
  const { certificates } = createPrivateAuthority(t)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const path = join(certificates, 'nginx.conf')
  const config = read('nginx.conf')
    .replaceAll('/etc/nginx/certificates', certificates)
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`)
    .replace(/server 10\.0\.0\.11:3000/, `server 127.0.0.1:${port}`)
    .replace(/ +server 10\.0\.0\.12:3000.*\n/, '')
  writeFileSync(path, config)
  run(t, command, ['-c', path, '-g', `daemon off; pid ${path}.pid; error_log stderr;`])
  await arrivesAtOnce(t, `https://localhost:${httpsPort}`)
})

t.test('Caddy', async (t) => {
  const command = optionalProgram(t, 'caddy')
  if (command === null) return
  const { certificates } = createPrivateAuthority(t)
  const httpsPort = await freePort()
  const path = join(certificates, 'Caddyfile')
  const site = read('Caddyfile')
    .replace(
      'portal.example.com {',
      `https://localhost:${httpsPort} {\n\ttls ${certificates}/portal.pem ${certificates}/portal.pem`
    )
    .replace('10.0.0.11:3000 10.0.0.12:3000', `127.0.0.1:${port}`)
    .replace('health_port 9464', `health_port ${await healthyPort(t)}`)
  writeFileSync(path, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
  run(t, command, ['run', '--adapter', 'caddyfile', '--config', path])
  await arrivesAtOnce(t, `https://localhost:${httpsPort}`)
})

/** A port that answers 200 to every path, as a ready gateway does. */
async function healthyPort(t: Test): Promise<number> {
  const server = createServer((_request, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.closeAllConnections())
  t.teardown(() => void server.close())
  return (server.address() as { port: number }).port
}
