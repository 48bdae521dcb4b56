// A certificate authority of an operator's own, which nobody knows, with a certificate for this machine; and what stands
// behind it: an HTTPS server, a Redis.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { eventually } from './eventually.ts'
import { freePort } from './portal.ts'
import type { Test } from './teardown.ts'

export interface PrivateAuthority {
  /** Where its certificate is, in PEM. */
  path: string
  /** A folder as balancers want it: certificate and key in one file. */
  certificates: string
  /** Starts an HTTPS server at https://localhost; its address. */
  serve(listener: RequestListener): Promise<string>
  /** Starts a Redis; its address. */
  redis(): Promise<string>
}

const WITHIN_MS = 60_000

export function createPrivateAuthority(t: Test): PrivateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'portal-authority-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  const openssl = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { stdio: 'ignore', cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-subj', '/CN=An authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', '/CN=localhost']
  const named = [
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
    '-addext',
    'basicConstraints=CA:FALSE'
  ]
  openssl('req', '-x509', ...key, ...signed, ...named, '-keyout', 'key.pem', '-out', 'cert.pem')

  mkdirSync(at('certificates'))
  const both = readFileSync(at('cert.pem'), 'utf8') + readFileSync(at('key.pem'), 'utf8')
  writeFileSync(at('certificates/portal.pem'), both)

  return {
    path: at('ca.pem'),
    certificates: at('certificates'),
    async serve(listener) {
      const options = { cert: readFileSync(at('cert.pem')), key: readFileSync(at('key.pem')) }
      const server = createServer(options, listener)
      await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
      t.teardown(() => {
        server.closeAllConnections()
        server.close()
      })
      return `https://localhost:${(server.address() as AddressInfo).port}`
    },
    async redis() {
      const port = await freePort()
      const files = ['--tls-cert-file', at('cert.pem'), '--tls-key-file', at('key.pem')]
      const trusted = ['--tls-ca-cert-file', at('ca.pem'), '--tls-auth-clients', 'no', '--save', '']
      const child = spawn('redis-server', ['--port', '0', '--tls-port', `${port}`, ...files, ...trusted], {
        stdio: 'ignore'
      })
      t.teardown(() => void child.kill('SIGKILL'))
      const answers = () =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(true))
          socket.on('error', () => resolve(false)).on('secureConnect', () => socket.destroy())
        })
      await eventually(answers, WITHIN_MS)
      return `rediss://localhost:${port}`
    }
  }
}
