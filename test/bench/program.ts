// Starts the programs of a benchmark as processes on one core, sends tasks over IPC and stops the processes.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '#test/support/free-port.ts'
import { OTHER_CORE, onCore, SERVER_CORE } from './cores.ts'
import type { Bench } from './frame.ts'

export interface Program {
  /** Sends a task to the program and returns the result. Rejects if the task fails or the program exits. */
  ask<T>(task: string, input?: object): Promise<T>
  stop(): Promise<void>
}

export interface Server extends Program {
  origin: string
}

interface Start {
  core?: number
  env?: Record<string, string>
  nodeOptions?: string[]
}

interface Answer {
  number: number
  value?: unknown
  failure?: string
}

const STOP_MS = 3_000
const START_MS = 60_000

export function startProgram(bench: Bench, file: string, start: Start = {}): Program {
  const { core = OTHER_CORE, env = {}, nodeOptions = [] } = start
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [command = '', ...parameters] = onCore(core, [process.execPath, ...nodeOptions, path])
  const child = spawn(command, parameters, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const callbacks = new Map<number, (answer: Answer) => void>()
  let lastNumber = 0
  child.on('message', (answer: Answer) => callbacks.get(answer.number)?.(answer))
  const exit = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  void exit.then(() => {
    for (const [number, settle] of callbacks) settle({ number, failure: 'the process exited' })
  })
  const stop = async () => {
    child.kill()
    await Promise.race([exit, wait(STOP_MS, undefined, { ref: false })])
    child.kill('SIGKILL')
  }
  bench.teardown(stop)
  return {
    stop,
    ask: <T>(task: string, input: object = {}) =>
      new Promise<T>((resolve, reject) => {
        lastNumber += 1
        const number = lastNumber
        callbacks.set(number, ({ value, failure }) => {
          callbacks.delete(number)
          if (failure === undefined) resolve(value as T)
          else reject(new Error(`${file} ${task}: ${failure}`))
        })
        child.send({ number, task, input }, (error) => {
          if (error) callbacks.get(number)?.({ number, failure: error.message })
        })
      })
  }
}

/** Starts a program that listens on PORT (default: a free port) and reports its usage; resolves once the program answers. */
export async function startServer(bench: Bench, file: string, start: Start = {}): Promise<Server> {
  const port = start.env?.PORT ?? String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const usageUrl = new URL('programs/usage.ts', import.meta.url).href
  const nodeOptions = ['--expose-gc', '--import', usageUrl, ...(start.nodeOptions ?? [])]
  const env = { NODE_ENV: 'production', ...start.env, PORT: port }
  const program = startProgram(bench, file, { ...start, env, nodeOptions })
  const deadline = performance.now() + START_MS
  for (;;) {
    const response = await fetch(origin).catch(() => null)
    await response?.body?.cancel()
    if (response) return { ...program, origin }
    if (performance.now() > deadline) throw new Error(`${file} does not answer`)
    await wait(50)
  }
}

export async function startGateway(bench: Bench, settings: Record<string, string>): Promise<Server> {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return startServer(bench, '../../server/main.ts', {
    core: SERVER_CORE,
    nodeOptions: String(scripts.start).match(/--[\w-]+=\S+/g) ?? [],
    env: { METRICS_PORT: String(await freePort()), SHUTDOWN_DELAY_SECONDS: '0', ...settings }
  })
}
