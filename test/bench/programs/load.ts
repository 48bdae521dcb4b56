// Makes calls and measures the answers: as fast as possible, or at a fixed rate.
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { quantile } from '../figures.ts'
import { answer } from './answer.ts'

export interface Call {
  path: string
  headers: Record<string, string>
}

export interface FastAnswers {
  calls: number
  failed: number
  seconds: number
  p99: number
}

export interface Answered {
  status: number
  ms: number
}

/** More than the parallel calls of any benchmark. */
const CONNECTIONS_MAX = 2048
const TIMEOUT_MS = 10_000
const pools = new Map<string, Pool>()
let calls: Call[] = []
let sentCalls = 0

answer({
  prepare(input: { calls: Call[] }) {
    calls = input.calls
    sentCalls = 0
  },
  async fast(input: { origin: string; connections: number; seconds: number }): Promise<FastAnswers> {
    const startedAt = performance.now()
    const answers: Answered[] = []
    const keepCalling = async () => {
      while (performance.now() - startedAt < input.seconds * 1000) answers.push(await call(input.origin))
    }
    await Promise.all(Array.from({ length: input.connections }, keepCalling))
    return {
      calls: answers.length,
      failed: answers.filter(({ status }) => status !== 200).length,
      seconds: (performance.now() - startedAt) / 1000,
      p99: quantile(
        answers.map(({ ms }) => ms),
        0.99
      )
    }
  },
  async paced(input: { origin: string; rate: number; seconds: number }): Promise<Answered[]> {
    const startedAt = performance.now()
    sentCalls = 0
    const count = Math.ceil(input.rate * input.seconds)
    const pending: Promise<Answered>[] = []
    while (pending.length < count) {
      const dueCalls = Math.min(count, Math.ceil(((performance.now() - startedAt) * input.rate) / 1000))
      while (pending.length < dueCalls) pending.push(call(input.origin))
      await wait(1)
    }
    return Promise.all(pending)
  }
})

function call(origin: string): Promise<Answered> {
  const { path, headers } = calls[sentCalls % calls.length] ?? { path: '/', headers: {} }
  sentCalls += 1
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let status = 0
    const done = () => resolve({ status, ms: performance.now() - startedAt })
    poolOf(origin).dispatch(
      { method: 'GET', path, headers },
      {
        onRequestStart() {},
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseEnd: done,
        onResponseError() {
          status = 0
          done()
        }
      }
    )
  })
}

function poolOf(origin: string): Pool {
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS }
  const pool =
    pools.get(origin) ?? new Pool(origin, { connections: CONNECTIONS_MAX, pipelining: 1, ...timeouts })
  pools.set(origin, pool)
  return pool
}
