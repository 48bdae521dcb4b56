// The examples of proxies are taken by the programs that they are for.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SETTINGS } from '#server/config/settings.ts'
import { operationsProgram } from '../support/machine.ts'
import { ROOT } from './image-files.ts'

const read = (name: string) => readFileSync(join(ROOT, '.github/operations', name), 'utf8')

/** The example in a folder whose path has no space, beside a certificate that it finds there. Returns its path. */
function prepared(t: Test, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'certificates'))
  // Certificate and key in one file, as all of them take it.
  const files = ['-keyout', '-', '-out', '-', '-subj', '/CN=portal.example.com']
  const asked = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files]
  const pem = execFileSync('openssl', asked, { stdio: ['ignore', 'pipe', 'ignore'] })
  writeFileSync(join(folder, 'certificates', 'portal.pem'), pem)
  writeFileSync(join(folder, name), read(name).replaceAll(/\/etc\/(?:haproxy|nginx)/g, folder))
  return join(folder, name)
}

/** What the program says, and whether it takes it. */
function judged(program: string, ...parameters: string[]) {
  const env = { PATH: process.env.PATH, HOME: tmpdir() }
  const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8', env })
  return { status, said: stdout + stderr }
}

t.test('HAProxy takes its example', async (t) => {
  const haproxy = operationsProgram(t, 'haproxy')
  if (haproxy === null) return
  const { status, said } = judged(haproxy, '-c', '-f', prepared(t, 'haproxy.cfg'))
  t.equal(status, 0, said)
  t.notMatch(said, /WARNING|deprecated/)
})

t.test('nginx takes its example', async (t) => {
  const nginx = operationsProgram(t, 'nginx')
  if (nginx === null) return
  const path = prepared(t, 'nginx.conf')
  const { status, said } = judged(nginx, '-t', '-c', path, '-g', `pid ${path}.pid; error_log stderr;`)
  t.equal(status, 0, said)
})

t.test('Caddy takes its example', async (t) => {
  const caddy = operationsProgram(t, 'caddy')
  if (caddy === null) return
  const { status, said } = judged(
    caddy,
    'validate',
    '--adapter',
    'caddyfile',
    '--config',
    prepared(t, 'Caddyfile')
  )
  t.equal(status, 0, said)
  t.match(said, 'Valid configuration')
})

t.test(
  'each waits longer for an answer than the gateway for an upstream, and sends no change twice',
  async (t) => {
    const longest = Number(SETTINGS.UPSTREAM_TIMEOUT_MS.fallback) / 1000
    const [haproxy, nginx] = [read('haproxy.cfg'), read('nginx.conf')]
    t.ok(Number(/timeout server (\d+)s/.exec(haproxy)?.[1]) > longest)
    t.ok(Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1]) > longest)
    t.match(haproxy, /^ +http-request disable-l7-retry unless METH_GET$/m)
    t.notMatch(nginx, 'non_idempotent')
  }
)
