// The first thing that a reader sees: only what belongs there stands at the top.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ALLOWED = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'server',
  'client',
  'shared',
  'test',
  'docker-compose.yml',
  'Dockerfile',
  'README.md'
]
/** Made by tools, and kept out of the history. */
const MADE = ['node_modules', 'dist']

t.test('only what belongs there stands at the top', async (t) => {
  const there = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !MADE.includes(name))
  t.strictSame(
    there.filter((name) => !ALLOWED.includes(name)),
    []
  )
})

t.test('what tools make is not in the history', async (t) => {
  // A copy without its history, as an image or an archive has it, has nothing to ask.
  if (!existsSync(`${ROOT}/.git`)) return
  // Whoever the folder belongs to.
  const asked = ['-c', 'safe.directory=*', 'check-ignore', ...MADE, '.tap']
  const ignored = execFileSync('git', asked, { cwd: ROOT, encoding: 'utf8' })
  t.strictSame(ignored.trim().split('\n'), [...MADE, '.tap'])
})
