// Free ports for programs that must know their port before they listen.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** The system uses ports from 32768 on for outgoing connections, so these are left out. */
const PORTS = { first: 11_000, count: 21_000 }
/** Each test file that runs in parallel has its own share of the ports, such as `0/3`. */
export const PORTS_PART = 'TEST_PORTS'
const [part = 0, parts = 1] = (process.env[PORTS_PART] ?? '0/1').split('/').map(Number)
const count = Math.floor(PORTS.count / parts)
let tried = process.pid * 31

/** A free port from the share of this test file. */
export async function freePort(): Promise<number> {
  for (;;) {
    tried += 1
    const port = PORTS.first + part * count + (tried % count)
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
