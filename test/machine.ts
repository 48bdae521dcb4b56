// The programs that the tests need beside Node: a real Redis and a real Chromium. What is missing is installed where
// that is possible (Debian, root) and otherwise named with the command that installs it.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Program {
  /** Any of these will do. */
  names: string[]
  debianPackage: string
}

const PROGRAMS: Program[] = [
  { names: ['redis-server'], debianPackage: 'redis-server' },
  { names: ['chromium', 'chromium-browser', 'google-chrome'], debianPackage: 'chromium' }
]

/** The first of the programs on the PATH; null when there is none. */
function find(names: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser of the tests. Throws when there is none. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? find(['chromium', 'chromium-browser', 'google-chrome'])
  if (path === null) throw new Error('Chromium is missing: npm test installs it or says how')
  return path
}

/** Installs what is missing. Throws with the command to run where it cannot. */
export function prepareMachine(): void {
  const missing = PROGRAMS.filter(({ names }) => find(names) === null).map(
    ({ debianPackage }) => debianPackage
  )
  if (missing.length === 0) return
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing]
  const ours = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (!ours)
    throw new Error(`The tests need ${missing.join(' and ')}. Install with: sudo ${install.join(' ')}`)
  for (const [command = '', ...parameters] of [['apt-get', 'update', '-qq'], install]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status } = spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'], env })
    if (status !== 0) throw new Error(`This failed: ${[command, ...parameters].join(' ')}`)
  }
}
