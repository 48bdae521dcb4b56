// Checks the top folder, the packages and ignored files.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'docker-compose.yml',
  'Dockerfile',
  'README.md'
]
const FOLDERS = ['server', 'client', 'shared', 'test']
const GENERATED = ['node_modules', 'dist']
const MIN_VERSIONS: Record<string, string> = {
  fastify: '5.12.0',
  '@fastify/http-proxy': '11.6.3',
  '@fastify/reply-from': '12.6.5',
  '@fastify/session': '11.1.3',
  'openid-client': '6.8.9'
}
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
const { dependencies = {}, devDependencies = {} } = read('package.json') as Record<
  string,
  Record<string, string>
>

t.test('the top folder contains only the listed entries', async (t) => {
  const names = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !GENERATED.includes(name))
  t.strictSame(
    names.filter((name) => ![...FILES, ...FOLDERS].includes(name)),
    []
  )
})

t.test(
  'each workflow is valid YAML whose jobs run on a fixed system, with a time limit and few rights',
  async (t) => {
    const folder = `${ROOT}.github/workflows/`
    for (const name of readdirSync(folder)) {
      const workflow = parse(readFileSync(folder + name, 'utf8'))
      t.match(workflow.permissions, { contents: 'read' }, name)
      for (const job of Object.values<Record<string, unknown>>(workflow.jobs))
        t.match(job, { 'runs-on': /^ubuntu-\d/, 'timeout-minutes': Number, steps: Array }, name)
    }
    t.match(readFileSync(`${folder}ci.yml`, 'utf8'), /run: bash \.ci\/run$/m)
  }
)

t.test('each action of a workflow is fixed to a commit, with its version in a comment', async (t) => {
  const folder = `${ROOT}.github/workflows/`
  const lines = readdirSync(folder).flatMap((name) => readFileSync(folder + name, 'utf8').split('\n'))
  const actions = lines.filter((line) => /\buses:/.test(line))
  t.ok(actions.length > 5)
  t.strictSame(
    actions.filter((line) => !/uses: [\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(line)),
    []
  )
})

t.test('a release runs all tests before it publishes the image, under the version without v', async (t) => {
  const { jobs } = parse(readFileSync(`${ROOT}.github/workflows/release.yml`, 'utf8'))
  t.ok(jobs.test.steps.some(({ run }: { run?: string }) => run === 'bash .ci/run'))
  t.equal(jobs.image.needs, 'test')
  const step = (job: string, id: string) => jobs[job].steps.find((step: { id?: string }) => step.id === id)
  t.match(step('image', 'image').with, {
    sbom: true,
    provenance: 'mode=max',
    tags: /:\$\{\{ env\.VERSION \}\}$/
  })
  t.match(jobs.image.env.VERSION, /needs\.test\.outputs\.version/)
  t.match(jobs.image.outputs.digest, /steps\.image\.outputs\.digest/)

  const { version } = read('package.json') as { version: string }
  const output = join(t.testdir(), 'output')
  const check = (tag: string, registry = 'ghcr.io') =>
    spawnSync('bash', ['-ec', step('test', 'version').run], {
      cwd: ROOT,
      env: { ...process.env, TAG: tag, REGISTRY: registry, REPOSITORY: 'Acme/Portal', GITHUB_OUTPUT: output }
    }).status
  for (const tag of [version, `v${version}.1`, 'v0.0.1', '']) t.equal(check(tag), 1, tag)
  t.equal(check(`v${version}`, ''), 1, 'without a registry')
  t.notOk(existsSync(output))
  t.equal(check(`v${version}`), 0)
  t.equal(readFileSync(output, 'utf8'), `version=${version}\nimage=ghcr.io/acme/portal\n`)
})

// Images and archives have no .git folder. The folder may belong to another user.
t.test('git ignores generated files', { skip: !existsSync(`${ROOT}/.git`) }, async (t) => {
  const command = ['-c', 'safe.directory=*', 'check-ignore', ...GENERATED, '.tap']
  const ignoredFiles = execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' })
  t.strictSame(ignoredFiles.trim().split('\n'), [...GENERATED, '.tap'])
})

t.test('no library with a known vulnerability is installed', async (t) => {
  for (const [name, min] of Object.entries(MIN_VERSIONS)) {
    const { version } = read(`node_modules/${name}/package.json`) as { version: string }
    const isNewer = version.localeCompare(min, 'en', { numeric: true }) >= 0
    t.ok(isNewer && !version.includes('-'), `${name} ${version} is at least ${min}`)
  }
})

t.test('versions are pinned, and production needs no build or test tools', async (t) => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    t.match(version, /^\d+\.\d+\.\d+$/, name)
  t.strictSame(
    DEVELOPMENT.filter((name) => name in dependencies),
    []
  )
})

t.test('images are pinned to a patch version', async (t) => {
  const files = ['docker-compose.yml', '.github/operations/swarm.yml'].map((name) =>
    readFileSync(`${ROOT}${name}`, 'utf8')
  )
  // Images with a tag; our own images and variables have none.
  const images = files.flatMap((text) =>
    [...text.matchAll(/^ *image: ([\w./-]+:\S+)$/gm)].map(([, image]) => image)
  )
  t.ok(images.length >= 3)
  for (const image of images) t.match(image, /^[\w./-]+:\d+\.\d+\.\d+(?:-[a-z]+)?$/)
  const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8')
  t.match(dockerfile, /^ARG NODE_VERSION=\d+\.\d+\.\d+$/m)
  const bases = [...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, image = '']) => image)
  t.ok(bases.length > 0)
  for (const image of bases) t.match(image, /:\$\{NODE_VERSION\}-slim$/)
})
