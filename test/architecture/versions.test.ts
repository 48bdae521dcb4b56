// Libraries whose older versions have known holes, and how versions are named.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Older versions have holes, published or seen here. */
const LEAST: Record<string, string> = {
  fastify: '5.12.0',
  '@fastify/http-proxy': '11.6.3',
  '@fastify/reply-from': '12.6.5',
  '@fastify/session': '11.1.3',
  'openid-client': '6.8.9'
}
/** Of builds and tests only. */
const DEVELOPMENT = [
  'react',
  'vite',
  'tap',
  'typescript',
  'oidc-provider',
  'playwright-core',
  'jsdom',
  'node'
]

const read = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'))
const { dependencies, devDependencies } = read('package.json') as Record<string, Record<string, string>>

t.test('no library with a known hole is installed', async (t) => {
  for (const [name, least] of Object.entries(LEAST)) {
    const { version } = read(`node_modules/${name}/package.json`) as { version: string }
    const isNewer = version.localeCompare(least, 'en', { numeric: true }) >= 0
    t.ok(isNewer && !version.includes('-'), `${name} ${version} is at least ${least}`)
  }
})

t.test('every version is pinned', async (t) => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    t.match(version, /^\d+\.\d+\.\d+$/, name)
})

t.test('the gateway depends on nothing that only builds and tests need', async (t) => {
  t.strictSame(
    DEVELOPMENT.filter((name) => name in (dependencies ?? {})),
    []
  )
})
