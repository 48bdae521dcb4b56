// HAProxy with the shipped configuration, in front of gateways on this machine, which it finds by DNS.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.ts'
import { startNameServer } from './name-server.ts'
import { freePort } from './portal.ts'
import { createPrivateAuthority } from './private-authority.ts'
import type { Test } from './teardown.ts'

/** The ports of all gateways, and the addresses of those that exist. */
interface Gateways {
  port: number
  metricsPort: number
  addresses: () => readonly string[]
}

const CONFIG = fileURLToPath(new URL('../../.github/operations/haproxy.cfg', import.meta.url))
const START_TIMEOUT_MS = 60_000

export interface Haproxy {
  url: string
  start(gateways: Gateways): Promise<() => Promise<void>>
}

export async function prepareHaproxy(t: Test): Promise<Haproxy> {
  const { path: authorityPath, certificates } = createPrivateAuthority(t)
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authorityPath, 'utf8')])
  const [httpPort, httpsPort, healthPort] = [await freePort(), await freePort(), await freePort()]
  return {
    url: `https://localhost:${httpsPort}`,
    async start({ port, metricsPort, addresses }) {
      const ports = { httpPort, httpsPort, healthPort, dnsPort: await startNameServer(t, addresses) }
      const folder = mkdtempSync(join(tmpdir(), 'portal-haproxy-'))
      const path = join(folder, 'haproxy.cfg')
      writeFileSync(path, adapt(readFileSync(CONFIG, 'utf8'), { ...ports, port, metricsPort, certificates }))
      const child = spawn('haproxy', ['-f', path], { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      const exit = once(child, 'exit')
      const stop = async () => {
        child.kill('SIGKILL')
        await exit
        rmSync(folder, { recursive: true, force: true })
      }
      t.teardown(stop)
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(output)
        const answer = await fetch(`http://127.0.0.1:${httpPort}/`, { redirect: 'manual' }).catch(() => null)
        return answer?.status === 308
      }, START_TIMEOUT_MS)
      return stop
    }
  }
}

type Place = 'httpPort' | 'httpsPort' | 'healthPort' | 'dnsPort' | 'port' | 'metricsPort'

function adapt(shippedConfig: string, values: Record<Place, number> & { certificates: string }): string {
  return shippedConfig
    .replace('127.0.0.11:53', `127.0.0.1:${values.dnsPort}`)
    .replace('bind 127.0.0.1:8405', `bind 127.0.0.1:${values.healthPort}`)
    .replace('bind :8080', `bind 127.0.0.1:${values.httpPort}`)
    .replace('bind :8443', `bind 127.0.0.1:${values.httpsPort}`)
    .replace('/etc/haproxy/certificates/', `${values.certificates}/`)
    .replaceAll('gateway:3000', `gateway:${values.port}`)
    .replace('port 9464', `port ${values.metricsPort}`)
}
