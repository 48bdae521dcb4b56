// Operators read of settings in three places: README.md, .env.example and docker-compose.yml (see test/deployment). None
// of them is behind.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { APIS, SETTINGS } from '#server/config/settings.ts'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8')
const settings = Object.entries(SETTINGS) as [name: string, setting: { fallback?: string; secret?: true }][]

t.test('README.md names every setting, with the default that it has', async (t) => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => /^\| `[A-Z]/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const documented = new Map<string, string>()
  for (const [, names = '', defaults = ''] of rows) {
    const each = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    const given = each.length > 1 && defaults.includes(', ') ? defaults.split(', ') : each.map(() => defaults)
    for (const [index, name] of each.entries()) documented.set(name, given[index] ?? defaults)
  }
  for (const [name, { fallback }] of settings) {
    t.ok(documented.has(name), name)
    if (fallback !== undefined && !['FEATURE_FLAGS', 'NODE_ENV'].includes(name))
      t.match(documented.get(name), fallback, `${name}: ${fallback}`)
  }
})

t.test('.env.example has a line for every setting, and no secret', async (t) => {
  const text = read('.env.example')
  const settingOf = (name: string) => (name in SETTINGS ? name : name.replace(/_FILE$/, ''))
  const named = new Set([...text.matchAll(/^#?(\w+)=/gm)].map(([, name = '']) => settingOf(name)))
  for (const [name] of settings) t.ok(named.has(name), name)
  const known = [
    ...settings.map(([name]) => name),
    ...APIS.map((api) => `UPSTREAM_${api}_URL`),
    // Of docker-compose.yml itself.
    'SECRETS_FOLDER',
    'CERTIFICATES_FOLDER',
    'COMPOSE_PROFILES',
    'GATEWAY_IMAGE',
    'GATEWAY_REPLICAS',
    'GATEWAY_PORT',
    'BALANCER_HTTP_PORT',
    'BALANCER_HTTPS_PORT'
  ]
  for (const name of named) t.ok(known.includes(name), `${name} is a setting`)
  for (const [name, { secret }] of settings)
    if (secret && name !== 'REDIS_URL') t.notMatch(text, new RegExp(`^#?${name}=.`, 'm'), name)
})
