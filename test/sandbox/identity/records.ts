// Keeps sessions, grants and tokens of the provider in memory until they expire.
import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Kept {
  payload: AdapterPayload
  expiresMs: number
}

const WRITES_BETWEEN_SWEEPS = 1000

export type Records = ReturnType<typeof createRecords>

export function createRecords() {
  const kept = new Map<string, Kept>()
  let writes = 0

  const read = (key: string): AdapterPayload | undefined => {
    const entry = kept.get(key)
    return entry && entry.expiresMs > Date.now() ? entry.payload : undefined
  }
  const first = (model: string, has: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
    listed(model).find(has)
  const listed = (model: string): AdapterPayload[] =>
    [...kept.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(read)
      .filter((payload) => payload !== undefined)
  const sweep = (): void => {
    for (const [key, entry] of kept) if (entry.expiresMs <= Date.now()) kept.delete(key)
  }

  const adapter = (model: string): Adapter => ({
    async upsert(id, payload, expiresInSeconds) {
      if (++writes % WRITES_BETWEEN_SWEEPS === 0) sweep()
      kept.set(`${model}:${id}`, { payload, expiresMs: Date.now() + (expiresInSeconds || 1e9) * 1000 })
    },
    find: async (id) => read(`${model}:${id}`),
    findByUid: async (uid) => first(model, (payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = read(`${model}:${id}`)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      kept.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of kept)
        if (key.startsWith(`${model}:`) && payload.grantId === grantId) kept.delete(key)
    }
  })

  return {
    adapter,
    sessionsOf: (accountId: string) => listed('Session').filter((session) => session.accountId === accountId)
  }
}
