// The programs that the tests need beside Node: a real Redis and a real Chromium. What is missing is installed where
// that is possible (Debian, root) and otherwise named with the command that installs it.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Program {
  /** Any of these will do. */
  names: string[]
  debianPackage: string
  /** What does as well, more slowly, where nothing can be installed. */
  otherwise: string[]
}

// The same browser without its own windows: it takes a quarter to two fifths less of the processor.
const BROWSER: Program = {
  names: ['chromium-headless-shell', 'chrome-headless-shell'],
  debianPackage: 'chromium-headless-shell',
  otherwise: ['chromium', 'chromium-browser', 'google-chrome']
}
const PROGRAMS: Program[] = [
  { names: ['redis-server'], debianPackage: 'redis-server', otherwise: [] },
  BROWSER
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
  const path = process.env.CHROMIUM_PATH ?? find([...BROWSER.names, ...BROWSER.otherwise])
  if (path === null) throw new Error('Chromium is missing: npm test installs it or says how')
  return path
}

/** Installs what is missing. Throws with the command to run where it cannot, and nothing else does as well. */
export function prepareMachine(): void {
  const missing = PROGRAMS.filter(({ names }) => find(names) === null)
  if (missing.length === 0) return
  const install = [
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
    ...missing.map(({ debianPackage }) => debianPackage)
  ]
  const ours = existsSync('/etc/debian_version') && process.getuid?.() === 0
  if (ours && run(['apt-get', 'update', '-qq']) && run(install)) return
  if (missing.every(({ otherwise }) => find(otherwise) !== null)) return
  throw new Error(`The tests need what this installs: ${ours ? '' : 'sudo '}${install.join(' ')}`)
}

function run([command = '', ...parameters]: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}
