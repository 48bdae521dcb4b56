// Below these versions the libraries have holes that were seen or published: see the advisories that they fix.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const require = createRequire(import.meta.url)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const LEAST: Record<string, string> = {
  fastify: '5.12.0',
  '@fastify/http-proxy': '11.6.3',
  '@fastify/reply-from': '12.6.5',
  '@fastify/session': '11.1.3',
  'openid-client': '6.8.9'
}

interface Manifest {
  version: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'))
const manifest = readManifest(join(ROOT, 'package.json'))

/** The manifest of an installed package, whatever it exports. */
function installed(name: string): Manifest {
  for (let folder = dirname(require.resolve(name)); ; folder = dirname(folder)) {
    try {
      const found = readManifest(join(folder, 'package.json'))
      if (found.version) return found
    } catch {
      if (folder === dirname(folder)) throw new Error(`${name} is not installed`)
    }
  }
}

function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split('-')[0]?.split('.').map(Number) ?? [])
  for (let index = 0; index < 3; index += 1) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return !version.includes('-')
}

t.test('versions are compared by their numbers', async (t) => {
  for (const [version, least, holds] of [
    ['5.9.0', '5.12.0', false],
    ['4.99.99', '5.0.0', false],
    ['5.12.0-rc.1', '5.12.0', false],
    ['5.12.0', '5.12.0', true],
    ['5.12.10', '5.12.9', true],
    ['6.0.0', '5.12.0', true]
  ] as const)
    t.equal(isAtLeast(version, least), holds, `${version} for ${least}`)
})

t.test('no library with a known hole is installed', async (t) => {
  for (const [name, least] of Object.entries(LEAST)) {
    const { version } = installed(name)
    t.ok(isAtLeast(version, least), `${name} ${version} is at least ${least}`)
  }
})

t.test('every version is pinned', async (t) => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
    t.match(version, /^\d+\.\d+\.\d+$/, name)
})

t.test('what only builds and tests need is no dependency of the gateway', async (t) => {
  const development = [
    'react',
    'vite',
    'tap',
    'typescript',
    'oidc-provider',
    'playwright-core',
    'jsdom',
    'node'
  ]
  for (const name of development) t.notOk(name in manifest.dependencies, name)
})
