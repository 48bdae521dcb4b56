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

const SHIPPED = fileURLToPath(new URL('../../.github/operations/haproxy.cfg', import.meta.url))
const WITHIN_MS = 60_000

export interface Haproxy {
  url: string
  start(gateways: readonly GatewayPorts[]): Promise<() => Promise<void>>
}

export async function prepareHaproxy(t: Test): Promise<Haproxy> {
  const { path: authority, certificates } = createPrivateAuthority(t)
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(authority, 'utf8')])
  const [plain, secure, health] = [await freePort(), await freePort(), await freePort()]
  return {
    url: `https://localhost:${secure}`,
    async start(gateways) {
      const folder = mkdtempSync(join(tmpdir(), 'portal-haproxy-'))
      const path = join(folder, 'haproxy.cfg')
      writeFileSync(
        path,
        adapted(readFileSync(SHIPPED, 'utf8'), { certificates, plain, secure, health, gateways })
      )
      const child = spawn('haproxy', ['-f', path], { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      const exited = once(child, 'exit')
      const stop = async () => {
        child.kill('SIGKILL')
        await exited
        rmSync(folder, { recursive: true, force: true })
      }
      t.teardown(stop)
      await eventually(async () => {
        if (child.exitCode !== null) throw new Error(output)
        const answer = await fetch(`http://127.0.0.1:${plain}/`, { redirect: 'manual' }).catch(() => null)
        return answer?.status === 308
      }, WITHIN_MS)
      return stop
    }
  }
}

function adapted(
  shipped: string,
  {
    certificates,
    plain,
    secure,
    health,
    gateways
  }: {
    certificates: string
    plain: number
    secure: number
    health: number
    gateways: readonly GatewayPorts[]
  }
): string {
  const servers = (checked: boolean) =>
    gateways
      .map(({ port, metricsPort }, index) => {
        const check = checked ? ` port ${metricsPort}` : ''
        return `  server gateway${index} 127.0.0.1:${port}${check}`
      })
      .join('\n')
  let templates = 0
  return shipped
    .replace('bind 127.0.0.1:8405', `bind 127.0.0.1:${health}`)
    .replace('bind :8080', `bind 127.0.0.1:${plain}`)
    .replace('bind :8443', `bind 127.0.0.1:${secure}`)
    .replace('/etc/haproxy/certificates/', `${certificates}/`)
    .replaceAll(' resolvers engine init-addr none', '')
    .replaceAll(/^ +default-server$\n/gm, '')
    .replace(/resolvers engine\n(?: +.*\n)+/, '')
    .replaceAll(/^ +server-template .*$/gm, () => {
      templates += 1
      return servers(templates === 1)
    })
}
