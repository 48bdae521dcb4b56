// Checks the example configurations of TLS proxies with the proxies themselves.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SETTINGS } from '#server/config/settings.ts'
import { LIMITS } from '#server/http/limits.ts'
import { optionalProgram } from '../support/machine.ts'
import { ROOT } from './image-files.ts'

const read = (name: string) => readFileSync(join(ROOT, '.github/operations', name), 'utf8')

function prepare(t: Test, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'certificates'))
  // All three proxies accept a certificate and its key in one file.
  const files = ['-keyout', '-', '-out', '-', '-subj', '/CN=portal.example.com']
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files]
  const pem = execFileSync('openssl', request, { stdio: ['ignore', 'pipe', 'ignore'] })
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
    const command = optionalProgram(t, program)
    if (command === null) return
    const env = { PATH: process.env.PATH, HOME: tmpdir() }
    const { status, stdout, stderr } = spawnSync(command, parameters(prepare(t, example)), {
      encoding: 'utf8',
      env
    })
    t.equal(status, 0, stdout + stderr)
    t.notMatch(stdout + stderr, /\[WARNING\]|deprecated/)
  })

t.test('each proxy waits longer than the pauses of a live stream, and delays no event', async (t) => {
  const heartbeatSeconds = LIMITS.streamHeartbeatMs / 1000
  const [haproxy, nginx, caddy] = [read('haproxy.cfg'), read('nginx.conf'), read('Caddyfile')]
  for (const name of ['server', 'client'])
    t.ok(Number(new RegExp(`timeout ${name} (\\d+)s`).exec(haproxy)?.[1]) > 2 * heartbeatSeconds, name)
  t.ok(Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1]) > 2 * heartbeatSeconds)
  t.match(nginx, /^ +proxy_buffering off;$/m)
  t.match(caddy, /^\t+flush_interval -1$/m)
  const connections = Number(/worker_connections (\d+)/.exec(nginx)?.[1])
  t.ok(
    connections >= 4 * Number(SETTINGS.LIVE_STREAMS.fallback),
    'two replicas full of streams, each of two connections'
  )
})

t.test('each proxy waits longer than the gateway waits for an upstream, and retries only GET', async (t) => {
  const upstreamSeconds = Number(SETTINGS.UPSTREAM_TIMEOUT_MS.fallback) / 1000
  const [haproxy, nginx] = [read('haproxy.cfg'), read('nginx.conf')]
  t.ok(Number(/timeout server (\d+)s/.exec(haproxy)?.[1]) > upstreamSeconds)
  t.ok(Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1]) > upstreamSeconds)
  t.match(haproxy, /accepted_payload_size 8192/, 'accepts DNS answers that list many gateways')
  t.match(haproxy, /^ +http-request disable-l7-retry unless METH_GET$/m)
  t.notMatch(nginx, 'non_idempotent')
})
