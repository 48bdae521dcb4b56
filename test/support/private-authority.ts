// A private certificate authority, with an HTTPS server and a Redis server that use the authority.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { closeServer } from './close-server.ts'
import { eventually } from './eventually.ts'
import { freePort } from './portal.ts'
import type { Test } from './teardown.ts'

export interface PrivateAuthority {
  path: string
  certificates: string
  serve(listener: RequestListener, host?: string): Promise<string>
  redis(): Promise<string>
}

const START_TIMEOUT_MS = 60_000

export function createPrivateAuthority(t: Test): PrivateAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'portal-authority-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = (name: string) => join(folder, name)
  const openssl = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { stdio: 'ignore', cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  openssl('req', '-x509', ...key, '-subj', '/CN=An authority', '-keyout', 'ca.key', '-out', 'ca.pem')
  const certify = (host: string) => {
    const issuer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', `/CN=${host}`]
    const extensions = ['-addext', `subjectAltName=DNS:${host}`, '-addext', 'basicConstraints=CA:FALSE']
    openssl('req', '-x509', ...key, ...issuer, ...extensions, '-keyout', `${host}.key`, '-out', `${host}.pem`)
    return { cert: readFileSync(file(`${host}.pem`), 'utf8'), key: readFileSync(file(`${host}.key`), 'utf8') }
  }
  const localhostPair = certify('localhost')

  mkdirSync(file('certificates'))
  writeFileSync(file('certificates/portal.pem'), localhostPair.cert + localhostPair.key)

  return {
    path: file('ca.pem'),
    certificates: file('certificates'),
    async serve(listener, host = 'localhost') {
      const server = createServer(host === 'localhost' ? localhostPair : certify(host), listener)
      await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
      t.teardown(() => closeServer(server))
      return `https://localhost:${(server.address() as AddressInfo).port}`
    },
    async redis() {
      const port = await freePort()
      const files = ['--tls-cert-file', file('localhost.pem'), '--tls-key-file', file('localhost.key')]
      const trust = ['--tls-ca-cert-file', file('ca.pem'), '--tls-auth-clients', 'no', '--save', '']
      const child = spawn('redis-server', ['--port', '0', '--tls-port', `${port}`, ...files, ...trust], {
        stdio: 'ignore'
      })
      t.teardown(() => void child.kill('SIGKILL'))
      const isListening = () =>
        new Promise<boolean>((resolve) => {
          const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => resolve(true))
          socket.on('error', () => resolve(false)).on('secureConnect', () => socket.destroy())
        })
      await eventually(isListening, START_TIMEOUT_MS)
      return `rediss://localhost:${port}`
    }
  }
}
