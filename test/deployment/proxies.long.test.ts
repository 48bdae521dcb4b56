// The proxies accept our examples of their configuration.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SETTINGS } from '#server/config/settings.ts'
import { freePort } from '#test/support/portal.ts'
import { eventually } from '../support/eventually.ts'
import { operationsProgram } from '../support/machine.ts'
import { ROOT } from './image-files.ts'

const read = (name: string) => readFileSync(join(ROOT, '.github/operations', name), 'utf8')

function prepared(t: Test, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'certificates'))
  // Certificate and key in one file, as all of them accept it.
  const files = ['-keyout', '-', '-out', '-', '-subj', '/CN=portal.example.com']
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files]
  const pem = execFileSync('openssl', asked, { stdio: ['ignore', 'pipe', 'ignore'] })
  writeFileSync(join(folder, 'certificates', 'portal.pem'), pem)
  writeFileSync(join(folder, name), read(name).replaceAll(/\/etc\/(?:haproxy|nginx)/g, folder))
  return join(folder, name)
}

const PROGRAMS: [
  program: 'haproxy' | 'nginx' | 'caddy',
  example: string,
  parameters: (path: string) => string[]
][] = [
  ['haproxy', 'haproxy.cfg', (path) => ['-c', '-f', path]],
  ['nginx', 'nginx.conf', (path) => ['-t', '-c', path, '-g', `pid ${path}.pid; error_log stderr;`]],
  ['caddy', 'Caddyfile', (path) => ['validate', '--adapter', 'caddyfile', '--config', path]]
]

for (const [program, example, parameters] of PROGRAMS)
  t.test(`${program} accepts ${example}`, async (t) => {
    const command = operationsProgram(t, program)
    if (command === null) return
    const env = { PATH: process.env.PATH, HOME: tmpdir() }
    const { status, stdout, stderr } = spawnSync(command, parameters(prepared(t, example)), {
      encoding: 'utf8',
      env
    })
    t.equal(status, 0, stdout + stderr)
    t.notMatch(stdout + stderr, /\[WARNING\]|deprecated/)
  })

async function startNames(t: Test, addresses: readonly string[]): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    // Header of 12 bytes, the name up to its last empty label, type and class.
    const end = question.indexOf(0, 12) + 5
    const isA = question.readUInt16BE(end - 4) === 1
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x8580, 2)
    header.writeUInt16BE(isA ? addresses.length : 0, 6)
    header.writeUInt32BE(0, 8)
    // Each points to the name, and holds for a second.
    const records = addresses.map((one) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...one.split('.').map(Number)])
    )
    socket.send(Buffer.concat([header, question.subarray(12, end), ...(isA ? records : [])]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.teardown(() => socket.close())
  return socket.address().port
}

t.test('HAProxy finds more than ten gateways by name', async (t) => {
  const command = operationsProgram(t, 'haproxy')
  if (command === null) return
  const addresses = Array.from({ length: 12 }, (_, index) => `127.0.2.${index + 1}`)
  const port = await freePort()
  for (const address of addresses) {
    const server = createServer((_request, response) => response.end(address))
    await new Promise<void>((resolve) => server.listen(port, address, resolve))
    t.teardown(() => server.close())
  }
  const names = await startNames(t, addresses)
  const path = prepared(t, 'haproxy.cfg')
  const [plain, secure, health] = [await freePort(), await freePort(), await freePort()]
  writeFileSync(
    path,
    readFileSync(path, 'utf8')
      .replace('127.0.0.11:53', `127.0.0.1:${names}`)
      .replaceAll('gateway:3000', `gateway:${port}`)
      .replace('port 9464', `port ${port}`)
      .replace('bind :8080', `bind 127.0.0.1:${plain}`)
      .replace('bind :8443', `bind 127.0.0.1:${secure}`)
      .replace(':8405', `:${health}`)
      .replace(/^ +http-request redirect.*$/m, '')
  )
  const child = spawn(command, ['-f', path], { stdio: 'ignore' })
  t.teardown(() => void child.kill('SIGKILL'))
  const met = new Set<string>()
  await eventually(async () => {
    const answer = await fetch(`http://127.0.0.1:${plain}/`, { headers: { connection: 'close' } }).catch(
      () => null
    )
    if (answer?.ok) met.add(await answer.text())
    return met.size === addresses.length
  })
  t.strictSame([...met].sort(), addresses.sort())
})

t.test(
  'each waits longer for an answer than the gateway for an upstream, and repeats GET only',
  async (t) => {
    const longest = Number(SETTINGS.UPSTREAM_TIMEOUT_MS.fallback) / 1000
    const [haproxy, nginx] = [read('haproxy.cfg'), read('nginx.conf')]
    t.ok(Number(/timeout server (\d+)s/.exec(haproxy)?.[1]) > longest)
    t.ok(Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1]) > longest)
    t.match(haproxy, /^ +http-request disable-l7-retry unless METH_GET$/m)
    t.notMatch(nginx, 'non_idempotent')
  }
)
