// HAProxy with the shipped configuration, in front of gateways on this machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.ts'
import { freePort } from './portal.ts'
import { createPrivateAuthority } from './private-authority.ts'
import type { Test } from './teardown.ts'

interface GatewayPorts {
  port: number
  metricsPort: number
}

const CONFIG = fileURLToPath(new URL('../../.github/operations/haproxy.cfg', import.meta.url))
const START_TIMEOUT_MS = 60_000

export interface Haproxy {
  url: string
  start(gateways: readonly GatewayPorts[]): Promise<() => Promise<void>>
}

export async function prepareHaproxy(t: Test): Promise<Haproxy> {
  const { path: authorityPath, certificates } = createPrivateAuthority(t)
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authorityPath, 'utf8')])
  const [httpPort, httpsPort, healthPort] = [await freePort(), await freePort(), await freePort()]
  return {
    url: `https://localhost:${httpsPort}`,
    async start(gateways) {
      const folder = mkdtempSync(join(tmpdir(), 'portal-haproxy-'))
      const path = join(folder, 'haproxy.cfg')
      writeFileSync(
        path,
        adapt(readFileSync(CONFIG, 'utf8'), { certificates, httpPort, httpsPort, healthPort, gateways })
      )
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

function adapt(
  shippedConfig: string,
  {
    certificates,
    httpPort,
    httpsPort,
    healthPort,
    gateways
  }: {
    certificates: string
    httpPort: number
    httpsPort: number
    healthPort: number
    gateways: readonly GatewayPorts[]
  }
): string {
  const servers = (hasCheck: boolean) =>
    gateways
      .map(({ port, metricsPort }, index) => {
        const check = hasCheck ? ` port ${metricsPort}` : ''
        return `  server gateway${index} 127.0.0.1:${port}${check}`
      })
      .join('\n')
  let templates = 0
  return shippedConfig
    .replace('bind 127.0.0.1:8405', `bind 127.0.0.1:${healthPort}`)
    .replace('bind :8080', `bind 127.0.0.1:${httpPort}`)
    .replace('bind :8443', `bind 127.0.0.1:${httpsPort}`)
    .replace('/etc/haproxy/certificates/', `${certificates}/`)
    .replaceAll(' resolvers engine init-addr none', '')
    .replaceAll(/^ +default-server$\n/gm, '')
    .replace(/resolvers engine\n(?: +.*\n)+/, '')
    .replaceAll(/^ +server-template .*$/gm, () => {
      templates += 1
      return servers(templates === 1)
    })
}
