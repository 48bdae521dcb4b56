// A program of the benchmarks in a process of its own, on one core: started, asked over IPC, and stopped.
import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onCore } from './cores.ts'

export interface Program {
  /** Rejects when the program fails to answer or ends. */
  ask<T>(question: string, given?: object): Promise<T>
  stop(): Promise<void>
}

interface Start {
  /** The one core that it runs on; without it, any. */
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

/** @param file of this folder */
export function startProgram(file: string, { core, env = {}, nodeOptions = [] }: Start): Program {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [command = '', ...parameters] = onCore(core ?? null, [process.execPath, ...nodeOptions, path])
  const child = spawn(command, parameters, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  child.on('message', (answer: Answer) => waiting.get(answer.number)?.(answer))
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  void ended.then(() => {
    for (const [number, settle] of waiting) settle({ number, failure: 'it has ended' })
  })

  return {
    ask: <T>(question: string, given: object = {}) =>
      new Promise<T>((resolve, reject) => {
        asked += 1
        const number = asked
        waiting.set(number, ({ value, failure }) => {
          waiting.delete(number)
          if (failure === undefined) resolve(value as T)
          else reject(new Error(`${file} ${question}: ${failure}`))
        })
        child.send({ number, question, given }, (error) => {
          if (error) waiting.get(number)?.({ number, failure: error.message })
        })
      }),
    async stop() {
      child.kill()
      await Promise.race([ended, wait(STOP_MS, undefined, { ref: false })])
      child.kill('SIGKILL')
    }
  }
}

/** A program that serves HTTP on a port and tells what it uses; resolves once it answers. */
export async function startServer(file: string, port: number, start: Start): Promise<Program> {
  const usage = new URL('programs/usage.ts', import.meta.url).href
  const nodeOptions = ['--expose-gc', '--import', usage, ...(start.nodeOptions ?? [])]
  const program = startProgram(file, { ...start, env: { ...start.env, PORT: String(port) }, nodeOptions })
  const giveUpAt = performance.now() + 60_000
  for (;;) {
    const up = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    await up?.body?.cancel()
    if (up) return program
    if (performance.now() > giveUpAt) throw new Error(`${file} does not answer`)
    await wait(50)
  }
}
