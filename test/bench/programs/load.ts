// Makes calls and measures them: as fast as they are answered, or at a fixed pace whatever the answers take.
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { answer } from './answer.ts'

export interface Call {
  path: string
  headers: Record<string, string>
}

export interface FastLoad {
  origin: string
  connections: number
  seconds: number
}

export interface FastAnswers {
  calls: number
  /** Those not answered 200. */
  failed: number
  seconds: number
}

export interface PacedLoad {
  origin: string
  /** Calls per second. */
  rate: number
  count: number
  /** Calls still unanswered then are given up. */
  seconds: number
}

export interface Answered {
  /** 0 when there was no answer. */
  status: number
  ms: number
}

/** More than any benchmark has under way. */
const CONNECTIONS_MAX = 2048
const pools = new Map<string, Pool>()
let calls: Call[] = []
let made = 0

answer({
  /** The calls to make, in turn. */
  prepare(given: { calls: Call[] }) {
    calls = given.calls
    made = 0
  },
  async fast({ origin, connections, seconds }: FastLoad): Promise<FastAnswers> {
    const begun = performance.now()
    const until = begun + seconds * 1000
    const answers = { calls: 0, failed: 0, seconds: 0 }
    const keepCalling = async () => {
      while (performance.now() < until) {
        const { status } = await call(origin)
        answers.calls += 1
        if (status !== 200) answers.failed += 1
      }
    }
    await Promise.all(Array.from({ length: connections }, keepCalling))
    return { ...answers, seconds: (performance.now() - begun) / 1000 }
  },
  async paced({ origin, rate, count, seconds }: PacedLoad): Promise<Answered[]> {
    const begun = performance.now()
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), seconds * 1000)
    const underWay: Promise<Answered>[] = []
    while (underWay.length < count) {
      const due = Math.min(count, Math.ceil(((performance.now() - begun) * rate) / 1000))
      while (underWay.length < due) underWay.push(call(origin, giveUp.signal))
      await wait(1)
    }
    const answered = await Promise.all(underWay)
    clearTimeout(timer)
    return answered
  }
})

function call(origin: string, signal?: AbortSignal): Promise<Answered> {
  const { path, headers } = calls[made % calls.length] ?? { path: '/', headers: {} }
  made += 1
  const begun = performance.now()
  return new Promise((resolve) => {
    let status = 0
    const done = () => resolve({ status, ms: performance.now() - begun })
    let giveUp = () => {}
    poolOf(origin).dispatch(
      { method: 'GET', path, headers },
      {
        onRequestStart(controller) {
          giveUp = () => controller.abort(new Error('given up'))
          if (signal?.aborted) giveUp()
          else signal?.addEventListener('abort', giveUp)
        },
        onResponseStart: (_controller, statusCode) => {
          status = statusCode
        },
        onResponseEnd() {
          signal?.removeEventListener('abort', giveUp)
          done()
        },
        onResponseError() {
          status = 0
          done()
        }
      }
    )
  })
}

function poolOf(origin: string): Pool {
  const known = pools.get(origin)
  if (known) return known
  const pool = new Pool(origin, { connections: CONNECTIONS_MAX, pipelining: 1 })
  pools.set(origin, pool)
  return pool
}
