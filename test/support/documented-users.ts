// The users of Redis and of its Sentinels that running.md documents. Gateways of tests connect as this user.
import { readFileSync } from 'node:fs'

const DOCUMENT = readFileSync(new URL('../../.github/operations/running.md', import.meta.url), 'utf8')

export const USER = 'portal'
export const PASSWORD = 'portal-of-tests'

const [redis = '', sentinel = ''] = [...DOCUMENT.matchAll(/^user portal on .*$/gm)].map(([line]) => line)

/** The line of redis.conf, as documented. */
export const documentedUser = redis
/** The same with the password of tests. */
export const redisUser = redis.replace('PASSWORD', PASSWORD)
export const sentinelUser = sentinel.replace('PASSWORD', PASSWORD)
