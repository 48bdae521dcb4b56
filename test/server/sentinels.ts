// A Redis with a replica and three Sentinels that watch them, gone with the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '#test/helper.ts'
import { eventually } from './redis-server.ts'

/** What tap gives a test; only the part that is used. */
interface Test {
  teardown: (work: () => unknown) => void
}

export interface Sentinels {
  /** Settings of a gateway that asks them. */
  env: Record<string, string>
  /** Resolves once the replica holds everything that was written so far. */
  copied(): Promise<void>
  /** Ends the Redis at once, as a crash does; resolves when its replica has taken over, with when that was. */
  failOver(): Promise<number>
}

const NAME = 'portal'
const WITHIN_MS = 60_000

export async function startSentinels(t: Test): Promise<Sentinels> {
  const main = await launch(t, ['repl-diskless-sync-delay 0'])
  const replica = await launch(t, [`replicaof 127.0.0.1 ${main.port}`, 'replica-priority 1'])
  const settings = [
    `sentinel monitor ${NAME} 127.0.0.1 ${main.port} 2`,
    `sentinel down-after-milliseconds ${NAME} 500`,
    `sentinel failover-timeout ${NAME} 2000`
  ]
  const sentinels = await Promise.all([1, 2, 3].map(() => launch(t, settings, '--sentinel')))
  const look = new Redis(sentinels[0]?.port ?? 0, '127.0.0.1', { maxRetriesPerRequest: 1 })
  const copy = new Redis(replica.port, '127.0.0.1')
  t.teardown(() => {
    look.disconnect()
    copy.disconnect()
  })
  const known = async (what: string) => ((await look.call('SENTINEL', what, NAME)) as unknown[]).length
  await eventually(async () => (await known('REPLICAS')) === 1 && (await known('SENTINELS')) === 2, WITHIN_MS)

  return {
    env: {
      REDIS_SENTINELS: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_SENTINEL_NAME: NAME
    },
    async copied() {
      const source = new Redis(main.port, '127.0.0.1')
      await eventually(async () => (await source.wait(1, 1000)) === 1, WITHIN_MS)
      source.disconnect()
    },
    async failOver() {
      main.child.kill('SIGKILL')
      await eventually(async () => (await copy.role())[0] === 'master', WITHIN_MS)
      return performance.now()
    }
  }
}

async function launch(
  t: Test,
  settings: string[],
  ...more: string[]
): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'portal-redis-'))
  const file = join(folder, 'redis.conf')
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""', ...settings].join('\n'))
  const child = spawn('redis-server', [file, ...more], { stdio: 'ignore' })
  t.teardown(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const look = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
  look.on('error', () => {})
  await look.ping()
  look.disconnect()
  return { port, child }
}
