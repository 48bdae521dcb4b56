import type { RedisServer } from '../../support/redis-server.ts'

/** The commands that Redis has run since the last CONFIG RESETSTAT, without connection commands. */
export async function commandsOf({ client }: Pick<RedisServer, 'client'>): Promise<Record<string, number>> {
  const stats = await client.info('commandstats')
  const counts = [...stats.matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm)]
  const relevantCounts = counts.filter(([, name = '']) => !/^(?:config|info|client|hello|ping)/.test(name))
  return Object.fromEntries(relevantCounts.map(([, name = '', calls]) => [name, Number(calls)]))
}
