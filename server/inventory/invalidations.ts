// Tells other replicas through Redis (one node, Sentinels or a Cluster) which customers have changed. A message may get
// lost, so snapshots are fresh for at most 30 seconds.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Cluster, type Redis } from 'ioredis'
import { inOurWords } from '../redis.ts'
import type { Log } from '../types.ts'

export interface Invalidations {
  /** Publishes a change; never fails and returns at once. */
  publish(customerId: string): void
  /** Called for changes at other replicas. */
  onChange(listener: (customerId: string) => void): void
  close(): Promise<void>
}

/** For a single replica. */
export function noInvalidations(): Invalidations {
  return { publish() {}, onChange() {}, close: async () => {} }
}

const CHANNEL = 'portal:inventory-changed'
const SUBSCRIBED_WITHIN_MS = 1_000
/** How often the subscription is renewed, which detects dead connections. */
const SUBSCRIBE_EVERY_MS = 5_000

/**
 * Subscribes over a separate connection, which reconnects by itself. Publishes over `redis`, which the caller closes.
 */
export function createRedisInvalidations(redis: Redis | Cluster, log: Log): Invalidations {
  const replicaId = randomUUID()
  const listeners: ((customerId: string) => void)[] = []
  // The library does not catch a failure when it resubscribes: that would be an unhandled rejection.
  const options = { lazyConnect: true, autoResubscribe: false }
  const subscriber =
    redis instanceof Cluster ? redis.duplicate(undefined, { lazyConnect: true }) : redis.duplicate(options)
  subscriber.on('error', () => {})
  subscriber.on('message', (_channel: string, message: string) => {
    const [sender, customerId = ''] = message.split(' ')
    if (sender !== replicaId) for (const listener of listeners) listener(customerId)
  })

  const subscribeInTime = () => Promise.race([subscriber.subscribe(CHANNEL), tooLate()])
  /** Drops a connection that cannot subscribe. The next connection tries again. */
  async function subscribe(): Promise<void> {
    if (subscriber.status !== 'ready') return
    try {
      await subscribeInTime()
    } catch (err) {
      log.warn(
        { err: inOurWords(err as Error, redis) },
        'cannot receive changes from other replicas at the moment'
      )
      if (subscriber.status === 'ready') subscriber.disconnect(true)
    }
  }

  subscriber.on('ready', subscribe)
  subscriber.connect().catch(() => {})
  const renewal = setInterval(subscribe, SUBSCRIBE_EVERY_MS).unref()
  return {
    publish(customerId) {
      redis.publish(CHANNEL, `${replicaId} ${customerId}`).catch((err) => {
        log.warn({ err }, 'could not tell other replicas of a change: they notice it within 30 seconds')
      })
    },
    onChange: (listener) => void listeners.push(listener),
    async close() {
      clearInterval(renewal)
      subscriber.disconnect()
    }
  }
}

async function tooLate(): Promise<never> {
  await wait(SUBSCRIBED_WITHIN_MS, undefined, { ref: false })
  throw new Error(`no subscription within ${SUBSCRIBED_WITHIN_MS} ms`)
}
