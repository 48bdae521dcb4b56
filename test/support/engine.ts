// Replaces `docker` for the commands of upgrade.sh: a container is a process with an address of its own. ENGINE is the folder
// with the engine's state.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Engine, isRunning } from './engine-state.ts'

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const HEALTHY_WITHIN_MS = 30_000

const { ENGINE: folder = '', GATEWAY_IMAGE: image = '' } = process.env
const file = join(folder, 'engine.json')
const engine = JSON.parse(readFileSync(file, 'utf8')) as Engine
const parameters = process.argv.slice(2)
appendFileSync(join(folder, 'commands.log'), `${parameters.join(' ')}\n`)

/** The test reads the file at any time, so it must always be complete. */
function save(): void {
  writeFileSync(`${file}.new`, JSON.stringify(engine))
  renameSync(`${file}.new`, file)
}

const envOf = (name: string, address: string) => ({
  PATH: process.env.PATH ?? '',
  ...engine.settings,
  ...engine.images[name],
  HOST: address
})

function start(address: string): void {
  const log = openSync(join(folder, `${address}.log`), 'a')
  const options = { env: envOf(image, address), detached: true, stdio: ['ignore', log, log] as const }
  const child: ChildProcess = spawn(process.execPath, [MAIN], { ...options, stdio: [...options.stdio] })
  child.unref()
  engine.containers.push({ address, id: `${image}-${child.pid}`, pid: child.pid ?? 0, image })
}

async function areHealthy(): Promise<boolean> {
  const deadline = performance.now() + HEALTHY_WITHIN_MS
  const isHealthy = ({ address }: { address: string }) =>
    fetch(`http://${address}:${engine.settings.METRICS_PORT}/startedz`).then(
      ({ ok }) => ok,
      () => false
    )
  while (performance.now() < deadline) {
    if ((await Promise.all(engine.containers.map(isHealthy))).every(Boolean)) return true
    await wait(100)
  }
  return false
}

async function stop(id: string, signal: NodeJS.Signals): Promise<void> {
  const container = engine.containers.find((candidate) => candidate.id === id)
  if (container === undefined) throw new Error(`no container ${id}`)
  process.kill(container.pid, signal)
  while (isRunning(container)) await wait(50)
}

const lastParameter = parameters.at(-1) ?? ''
const COMMANDS: [pattern: RegExp, work: () => unknown][] = [
  [/^image inspect /, () => lastParameter in engine.images],
  [/^compose ps -a?q gateway$/, () => console.log(engine.containers.map(({ id }) => id).join('\n'))],
  [
    /^compose run --rm --no-deps gateway --check$/,
    () =>
      spawnSync(process.execPath, [MAIN, '--check'], { env: { ...engine.settings }, stdio: 'inherit' })
        .status === 0
  ],
  [
    /^compose up -d --no-recreate --scale gateway=\d+ --wait --wait-timeout \d+ gateway$/,
    async () => {
      const count = Number(/gateway=(\d+)/.exec(parameters.join(' '))?.[1])
      const usedAddresses = engine.containers.map(({ address }) => address)
      const freeAddresses = engine.addresses.filter((address) => !usedAddresses.includes(address))
      for (const address of freeAddresses.slice(0, count - usedAddresses.length)) start(address)
      save()
      return areHealthy()
    }
  ],
  [/^compose up --no-start --no-deps secrets$/, () => {}],
  [
    /^exec /,
    () => {
      const target = engine.containers.find(({ id }) => id === parameters[1])
      if (target === undefined) return false
      const { image: name, address } = target
      // In a container, a process reaches itself at 127.0.0.1.
      const program = parameters.slice(3).map((parameter) => parameter.replaceAll('127.0.0.1', address))
      return (
        spawnSync(process.execPath, program, { env: envOf(name, address), stdio: 'inherit' }).status === 0
      )
    }
  ],
  [/^stop -t 40 /, () => stop(lastParameter, 'SIGTERM')],
  [
    /^rm (?:-f )?/,
    async () => {
      if (parameters.includes('-f')) await stop(lastParameter, 'SIGKILL')
      engine.containers = engine.containers.filter(({ id }) => id !== lastParameter)
    }
  ]
]

const command = COMMANDS.find(([pattern]) => pattern.test(parameters.join(' ')))
if (command === undefined) throw new Error(`unknown command: ${parameters.join(' ')}`)
const result = await command[1]()
save()
process.exitCode = result === false ? 1 : 0
