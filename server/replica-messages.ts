// Tells other replicas through Redis (one node, Sentinels or a Cluster) what has happened. A message may get lost, so nothing
// may rely on it: snapshots are fresh for at most 30 seconds, and streams read their session before each write.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Cluster, type Redis } from 'ioredis'
import { inOurWords } from './redis.ts'
import { subscriptionRefusal } from './redis-proof.ts'
import type { Log } from './types.ts'

/**
 * `inventory-changed`: the id of a changed customer, and how it has changed (inventory/cache.ts). `session-ended`: the name of a session that has ended early. `readings` and
 * `changes`: what a replica has read, and what is to be read again (portal/readings/share.ts).
 */
const TOPICS = ['inventory-changed', 'session-ended', 'readings', 'changes'] as const
export type TopicName = (typeof TOPICS)[number]

/** Messages about one subject. A message is one word. */
export interface Topic {
  /** Never fails and returns at once. */
  publish(message: string): void
  /** Called for messages of other replicas. */
  onMessage(listener: (message: string) => void): void
}

export interface ReplicaMessages {
  topic(name: TopicName): Topic
  /** Rejects if Redis refuses the subscription. Without a connection, only the session store reports it. */
  prove(): Promise<void>
  /** Whether messages of other replicas arrive at the moment. */
  isReceiving(): boolean
  close(): Promise<void>
}

/** For a single replica. */
export function noReplicaMessages(): ReplicaMessages {
  return {
    topic: () => ({ publish() {}, onMessage() {} }),
    isReceiving: () => false,
    prove: async () => {},
    close: async () => {}
  }
}

const channelOf = (name: TopicName) => `portal:${name}`
const SUBSCRIBED_WITHIN_MS = 1_000
/** How often the subscription is renewed, which detects dead connections. */
const SUBSCRIBE_EVERY_MS = 5_000

/**
 * Subscribes over a separate connection, which reconnects by itself. Publishes over `redis`, which the caller closes.
 */
export function createReplicaMessages(redis: Redis | Cluster, log: Log): ReplicaMessages {
  const replicaId = randomUUID()
  const listeners = new Map<string, ((message: string) => void)[]>(
    TOPICS.map((name) => [channelOf(name), []])
  )
  // The library does not catch a failure when it resubscribes: that would be an unhandled rejection.
  const options = { lazyConnect: true, autoResubscribe: false }
  const subscriber =
    redis instanceof Cluster ? redis.duplicate(undefined, { lazyConnect: true }) : redis.duplicate(options)
  subscriber.on('error', () => {})
  subscriber.on('message', (channel: string, text: string) => {
    const [sender, message = ''] = text.split(' ')
    if (sender !== replicaId) for (const listener of listeners.get(channel) ?? []) listener(message)
  })

  /** Topics whose last message was lost, which is logged once. */
  const failing = new Set<TopicName>()
  let isSubscribed = false
  subscriber.on('close', () => {
    isSubscribed = false
  })
  const subscribeInTime = () => Promise.race([subscriber.subscribe(...listeners.keys()), tooLate()])
  const tried = Promise.withResolvers<void>()
  let refusal: Error | null = null
  /** Drops a connection that cannot subscribe. The next connection tries again. */
  async function subscribe(): Promise<void> {
    if (subscriber.status !== 'ready') return
    try {
      await subscribeInTime()
      isSubscribed = true
      refusal = null
    } catch (err) {
      isSubscribed = false
      const wasRefused = refusal !== null
      refusal = subscriptionRefusal(err as Error)
      // Another connection would be refused, too. The renewal tries again, and the readiness check says what is missing.
      if (refusal !== null && wasRefused) return
      log.warn(
        { err: inOurWords(err as Error, redis) },
        'cannot receive messages from other replicas at the moment'
      )
      if (refusal === null && subscriber.status === 'ready') subscriber.disconnect(true)
    } finally {
      tried.resolve()
    }
  }

  subscriber.on('ready', subscribe)
  subscriber.connect().catch(() => {})
  const renewal = setInterval(subscribe, SUBSCRIBE_EVERY_MS).unref()
  return {
    topic: (name) => ({
      publish(message) {
        redis.publish(channelOf(name), `${replicaId} ${message}`).then(
          () => failing.delete(name),
          (err) => {
            if (!failing.has(name))
              log.warn(
                { err, topic: name },
                'could not tell other replicas: they notice it within 30 seconds'
              )
            failing.add(name)
          }
        )
      },
      onMessage: (listener) => void listeners.get(channelOf(name))?.push(listener)
    }),
    isReceiving: () => isSubscribed && subscriber.status === 'ready',
    async prove() {
      await Promise.race([tried.promise, wait(SUBSCRIBED_WITHIN_MS, undefined, { ref: false })])
      if (refusal !== null) throw refusal
    },
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
