// A Redis whose replica takes over when it crashes, found by Sentinels; gone with the test.
import * as processes from './redis-processes.ts'
import type { Secret } from './redis-secrets.ts'
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

const WITHIN_MS = 60_000

/** @param secrets what it must never be told in clear */
export async function startSentinels(t: Test, secrets?: () => Iterable<Secret>): Promise<Sentinels> {
  const { env, nodes } = await processes.startSentinels(t, secrets)
  const [main, replica] = nodes
  if (main === undefined || replica === undefined) throw new Error('there are no two of them')
  return {
    env,
    async copied() {
      // What it waits for is what this connection has written.
      await main.look.publish('copied', '')
      await eventually(async () => (await main.look.wait(1, 1000)) === 1, WITHIN_MS)
    },
    async failOver() {
      await main.kill()
      await eventually(async () => (await replica.look.role())[0] === 'master', WITHIN_MS)
      return performance.now()
    }
  }
}
