// What the top folder holds, and what stays out of the history.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'docker-compose.yml',
  'Dockerfile',
  'README.md'
]
const ALLOWED = [...FILES, 'server', 'client', 'shared', 'test']
/** Made by tools. */
const MADE = ['node_modules', 'dist']

t.test('the top folder holds nothing else', async (t) => {
  const there = readdirSync(ROOT).filter((name) => !name.startsWith('.') && !MADE.includes(name))
  t.strictSame(
    there.filter((name) => !ALLOWED.includes(name)),
    []
  )
})

// An image or an archive has no history. The folder may belong to another user.
t.test('git ignores what tools make', { skip: !existsSync(`${ROOT}/.git`) }, async (t) => {
  const command = ['-c', 'safe.directory=*', 'check-ignore', ...MADE, '.tap']
  const ignored = execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' })
  t.strictSame(ignored.trim().split('\n'), [...MADE, '.tap'])
})
