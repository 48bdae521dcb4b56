// Free ports for programs that must know their port before they listen.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Systems give connections that name no port one from 32768 on: none of these is taken between the look and its use. */
const PORTS = { first: 11_000, count: 21_000 }
/** Files of a run that run side by side have a part each, as in `0/3`: none looks at a port that another is about to use. */
export const PORTS_PART = 'TEST_PORTS'
const [part = 0, parts = 1] = (process.env[PORTS_PART] ?? '0/1').split('/').map(Number)
const count = Math.floor(PORTS.count / parts)
let looked = process.pid * 31

/** A port that is free, and that nobody else is about to take. */
export async function freePort(): Promise<number> {
  for (;;) {
    looked += 1
    const port = PORTS.first + part * count + (looked % count)
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
