// Free ports for programs that must know the port before listening.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Ports below 32768, because the system uses higher ports for outgoing connections. */
const PORTS = { first: 11_000, count: 21_000 }
/** The variable with a test file's share of the ports, such as `0/3`. Test files run in parallel. */
export const PORTS_PART = 'TEST_PORTS'
const [part = 0, parts = 1] = (process.env[PORTS_PART] ?? '0/1').split('/').map(Number)
const portsPerPart = Math.floor(PORTS.count / parts)
let attempts = process.pid * 31

/** A free port from the share of this test file. */
export async function freePort(): Promise<number> {
  for (;;) {
    attempts += 1
    const port = PORTS.first + part * portsPerPart + (attempts % portsPerPart)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port), 'listening')
  } catch {
    return false
  }
  await new Promise((resolve) => server.close(resolve))
  return true
}
