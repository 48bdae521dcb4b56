// Finds the programs that tests need: Redis, Chromium and the operators' programs. Installs missing ones on Debian as
// root, otherwise prints the command. Only tests of operators' programs may be skipped.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Program {
  names: string[]
  debianPackage: string
  otherwise: string[]
}

// The headless shell uses 25 to 40% less CPU than Chromium.
const BROWSER: Program = {
  names: ['chromium-headless-shell', 'chrome-headless-shell'],
  debianPackage: 'chromium-headless-shell',
  otherwise: ['chromium', 'chromium-browser', 'google-chrome']
}
const PROGRAMS: Program[] = [
  { names: ['redis-server'], debianPackage: 'redis-server', otherwise: [] },
  BROWSER
]
const OPERATIONS = {
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  caddy: 'caddy',
  promtool: 'prometheus',
  'docker-compose': 'docker-compose'
} as const

/** The path of the first program that is on the PATH; null when there is none. */
function find(names: readonly string[]): string | null {
  // Debian installs servers in /usr/sbin, which is only on the PATH of root.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
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

/** The path of the browser for tests. Throws when there is none. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? find([...BROWSER.names, ...BROWSER.otherwise])
  if (path === null) throw new Error('Chromium is missing: npm test installs it or prints the command')
  return path
}

interface Test {
  plan: (count: 0, reason: string) => void
  fail: (reason: string) => void
}

export function operationsProgram(t: Test, name: keyof typeof OPERATIONS): string | null {
  const path = find([name])
  if (path !== null) return path
  const reason = `${name} is missing: ${installing([OPERATIONS[name]]).join(' ')}`
  if (process.env.CI) t.fail(reason)
  else t.plan(0, reason)
  return null
}

/** Installs missing programs. If it cannot, and there is no alternative, throws an error with the install command. */
export function prepareMachine(): void {
  const missing = PROGRAMS.filter(({ names }) => find(names) === null)
  const packages = missing.map(({ debianPackage }) => debianPackage)
  const optional = Object.entries(OPERATIONS)
    .filter(([name]) => find([name]) === null)
    .map(([, debianPackage]) => debianPackage)
  if (packages.length + optional.length === 0) return
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0
  const updated = canInstall && run(['apt-get', 'update', '-qq'])
  // Install one at a time: some Debian versions lack one of them.
  for (const one of optional)
    if (!updated || !run(installing([one])))
      process.stdout.write(`# some tests are skipped; they need: ${installing([one]).join(' ')}\n`)
  if (packages.length === 0 || (updated && run(installing(packages)))) return
  if (missing.every(({ otherwise }) => find(otherwise) !== null)) return
  throw new Error(
    `Run this to install missing programs: ${canInstall ? '' : 'sudo '}${installing(packages).join(' ')}`
  )
}

const installing = (packages: readonly string[]): string[] => [
  'apt-get',
  'install',
  '-y',
  '--no-install-recommends',
  ...packages
]

function run([command = '', ...parameters]: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}
