// Keeps sessions, grants and tokens of the provider in memory until they expire.
import { LRUCache } from 'lru-cache'
import type { Adapter, AdapterPayload } from 'oidc-provider'

const RECORDS_MAX = 100_000

export type Records = ReturnType<typeof createRecords>

export function createRecords() {
  const records = new LRUCache<string, AdapterPayload>({ max: RECORDS_MAX })
  const listOf = (model: string): AdapterPayload[] =>
    [...records].filter(([key]) => key.startsWith(`${model}:`)).map(([, payload]) => payload)

  const adapter = (model: string): Adapter => ({
    async upsert(id, payload, expiresInSeconds) {
      records.set(`${model}:${id}`, payload, { ttl: (expiresInSeconds ?? 0) * 1000 })
    },
    find: async (id) => records.get(`${model}:${id}`),
    findByUid: async (uid) => listOf(model).find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = records.get(`${model}:${id}`)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      records.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of records)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) records.delete(key)
    }
  })

  return {
    adapter,
    sessionsOf: (accountId: string) => listOf('Session').filter((session) => session.accountId === accountId)
  }
}
