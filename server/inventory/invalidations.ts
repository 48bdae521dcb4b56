// Publishes changed customers to other replicas through Redis: one node, Sentinels or a Cluster. A message may get lost,
// so snapshots are fresh for half a minute at most.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Cluster, type Redis } from 'ioredis'
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
/** Subscriptions are renewed this often, which detects dead connections. */
const SUBSCRIBE_EVERY_MS = 5_000

/**
 * Subscribes over a connection of its own, which reconnects by itself. `redis` publishes; the caller closes it.
 */
export function createRedisInvalidations(redis: Redis | Cluster, log: Log): Invalidations {
  const here = randomUUID()
  const listeners: ((customerId: string) => void)[] = []
  // The library's own resubscription has no catch, so a late answer would be an unhandled rejection.
  const own = { lazyConnect: true, autoResubscribe: false }
  const hearing =
    redis instanceof Cluster ? redis.duplicate(undefined, { lazyConnect: true }) : redis.duplicate(own)
  hearing.on('error', () => {})
  hearing.on('message', (_channel: string, message: string) => {
    const [from, customerId = ''] = message.split(' ')
    if (from !== here) for (const listener of listeners) listener(customerId)
  })

  const subscribed = () => Promise.race([hearing.subscribe(CHANNEL), tooLate()])
  /** Drops a connection that cannot subscribe; the next one tries again. */
  async function subscribe(): Promise<void> {
    if (hearing.status !== 'ready') return
    try {
      await subscribed()
    } catch (err) {
      log.warn({ err }, 'changes at other replicas are not heard right now')
      if (hearing.status === 'ready') hearing.disconnect(true)
    }
  }

  hearing.on('ready', subscribe)
  hearing.connect().catch(() => {})
  const renewal = setInterval(subscribe, SUBSCRIBE_EVERY_MS).unref()
  return {
    publish(customerId) {
      redis.publish(CHANNEL, `${here} ${customerId}`).catch((err) => {
        log.warn({ err }, 'other replicas were not told of a change: they notice it within half a minute')
      })
    },
    onChange: (listener) => void listeners.push(listener),
    async close() {
      clearInterval(renewal)
      hearing.disconnect()
    }
  }
}

async function tooLate(): Promise<never> {
  await wait(SUBSCRIBED_WITHIN_MS, undefined, { ref: false })
  throw new Error(`no subscription within ${SUBSCRIBED_WITHIN_MS} ms`)
}
