// Replaces `docker` for the commands of upgrade.sh: a container is a process. ENGINE is the folder with the engine's state.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { appendFileSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface Place {
  port: number
  metricsPort: number
}

export interface Container extends Place {
  id: string
  pid: number
  image: string
}

export interface Engine {
  settings: Record<string, string>
  images: Record<string, Record<string, string>>
  places: Place[]
  containers: Container[]
}

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
const HEALTHY_WITHIN_MS = 15_000

const { ENGINE: folder = '', GATEWAY_IMAGE: image = '' } = process.env
const file = join(folder, 'engine.json')
const engine = JSON.parse(readFileSync(file, 'utf8')) as Engine
const parameters = process.argv.slice(2)
appendFileSync(join(folder, 'commands.log'), `${parameters.join(' ')}\n`)

function isRunning({ pid }: Container): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const envOf = (name: string, place: Place) => ({
  PATH: process.env.PATH ?? '',
  ...engine.settings,
  ...engine.images[name],
  PORT: `${place.port}`,
  METRICS_PORT: `${place.metricsPort}`
})

function start(place: Place): void {
  const log = openSync(join(folder, `${place.port}.log`), 'a')
  const options = { env: envOf(image, place), detached: true, stdio: ['ignore', log, log] as const }
  const child: ChildProcess = spawn(process.execPath, [MAIN], { ...options, stdio: [...options.stdio] })
  child.unref()
  engine.containers.push({ ...place, id: `${image}-${child.pid}`, pid: child.pid ?? 0, image })
}

async function areHealthy(): Promise<boolean> {
  const deadline = performance.now() + HEALTHY_WITHIN_MS
  const isHealthy = ({ metricsPort }: Container) =>
    fetch(`http://127.0.0.1:${metricsPort}/startedz`).then(
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
    /^compose up -d --no-deps --no-recreate --scale gateway=\d+ --wait --wait-timeout \d+ gateway$/,
    async () => {
      const count = Number(/gateway=(\d+)/.exec(parameters.join(' '))?.[1])
      const usedPorts = engine.containers.map(({ port }) => port)
      const freePlaces = engine.places.filter(({ port }) => !usedPorts.includes(port))
      for (const place of freePlaces.slice(0, count - usedPorts.length)) start(place)
      writeFileSync(file, JSON.stringify(engine))
      return areHealthy()
    }
  ],
  [
    /^exec /,
    () => {
      const target = engine.containers.find(({ id }) => id === parameters[1])
      if (target === undefined) return false
      return (
        spawnSync(process.execPath, parameters.slice(3), {
          env: envOf(target.image, target),
          stdio: 'inherit'
        }).status === 0
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
writeFileSync(file, JSON.stringify(engine))
process.exitCode = result === false ? 1 : 0
