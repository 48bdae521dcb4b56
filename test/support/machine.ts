// Finds the programs that tests need: Redis, Chromium with a second font, and the operators' programs. Installs missing programs on Debian
// as root, otherwise prints the command. Only tests of operators' programs and of printed pages may be skipped.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

interface Program {
  names: string[]
  debianPackage: string
  alternatives: string[]
}

// The headless shell uses 25 to 40% less CPU than Chromium.
const BROWSER: Program = {
  names: ['chromium-headless-shell', 'chrome-headless-shell'],
  debianPackage: 'chromium-headless-shell',
  alternatives: ['chromium', 'chromium-browser', 'google-chrome']
}
const PROGRAMS: Program[] = [
  { names: ['redis-server'], debianPackage: 'redis-server', alternatives: [] },
  BROWSER
]
/** A font with the widths of Arial, in which the browser tests read every list a second time. */
const FONT = {
  path: '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
  debianPackage: 'fonts-liberation'
}
const OPTIONAL = {
  haproxy: 'haproxy',
  nginx: 'nginx-light',
  caddy: 'caddy',
  promtool: 'prometheus',
  'docker-compose': 'docker-compose',
  pdftotext: 'poppler-utils'
} as const

/** The path of the first program that is on the PATH; null if no program is. */
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

/** The path of the browser for tests. Throws if there is no browser. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? find([...BROWSER.names, ...BROWSER.alternatives])
  if (path === null) throw new Error('Chromium is missing: npm test installs it or prints the command')
  return path
}

interface Test {
  plan: (count: 0, reason: string) => void
  fail: (reason: string) => void
}

export function optionalProgram(t: Test, name: keyof typeof OPTIONAL): string | null {
  const path = find([name])
  if (path !== null) return path
  const reason = `${name} is missing: ${installCommand([OPTIONAL[name]]).join(' ')}`
  if (process.env.CI) t.fail(reason)
  else t.plan(0, reason)
  return null
}

/** Installs missing programs. Throws an error with the install command if a program still has no alternative. */
export function prepareMachine(): void {
  const missingPrograms = PROGRAMS.filter(({ names }) => find(names) === null)
  const packages = missingPrograms.map(({ debianPackage }) => debianPackage)
  if (!existsSync(FONT.path)) packages.push(FONT.debianPackage)
  const optionalPackages = Object.entries(OPTIONAL)
    .filter(([name]) => find([name]) === null)
    .map(([, debianPackage]) => debianPackage)
  if (packages.length + optionalPackages.length === 0) return
  const canInstall = existsSync('/etc/debian_version') && process.getuid?.() === 0
  const isUpdated = canInstall && run(['apt-get', 'update', '-qq'])
  // Install packages one at a time, because some Debian versions lack one of the packages.
  for (const name of optionalPackages)
    if (!isUpdated || !run(installCommand([name])))
      process.stdout.write(`# some tests are skipped; they need: ${installCommand([name]).join(' ')}\n`)
  if (packages.length === 0 || (isUpdated && run(installCommand(packages)))) return
  if (missingPrograms.every(({ alternatives }) => find(alternatives) !== null)) return
  throw new Error(
    `Run this to install missing programs: ${canInstall ? '' : 'sudo '}${installCommand(packages).join(' ')}`
  )
}

const installCommand = (packages: readonly string[]): string[] => [
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
