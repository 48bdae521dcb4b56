// Makes calls at a steady rate, even when answers are slow.
import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'

export interface Answered {
  status: number
  retryAfter: string | undefined
  /** Id of the problem, or the code of the error if there is no answer (status 0). */
  problem: string | undefined
  begun: number
  ended: number
}

export interface SteadyLoad {
  answered: Answered[]
  end(): Promise<Answered[]>
}

/**
 * Idle connections are closed after this time, before the balancer closes them (haproxy.cfg: 60 s): a call on a connection that
 * is just being closed would fail.
 */
const IDLE_MS = 10_000
/** After a block of this process, only the missed calls of this time are sent; older calls are dropped. */
const CATCH_UP_MS = 100

/** @param perSecond number of calls; the calls use the cookies in turn */
export function startSteadyLoad(
  url: string,
  path: string,
  cookies: readonly string[],
  perSecond: number
): SteadyLoad {
  const { Agent, get } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
  const answered: Answered[] = []
  let isRunning = true
  let sentCalls = 0

  const call = (): Promise<void> =>
    new Promise((resolve) => {
      const begun = performance.now()
      const headers = { cookie: cookies[sentCalls % cookies.length], 'x-portal-csrf': '1' }
      sentCalls += 1
      const done = (status: number, retryAfter?: string, problem?: string) => {
        answered.push({ status, retryAfter, problem, begun, ended: performance.now() })
        resolve()
      }
      const fail = (error: NodeJS.ErrnoException) => done(0, undefined, error.code ?? error.message)
      get(url + path, { agent, headers }, (answer) => {
        answer.on('error', fail)
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.once('end', () => {
          const [, problem] = /"type":"urn:portal:problem:(\w+)"/.exec(text) ?? []
          done(answer.statusCode ?? 0, answer.headers['retry-after'], problem)
        })
      }).once('error', fail)
    })
  const pending = new Set<Promise<void>>()
  const pace = async () => {
    let lastTickAt = performance.now()
    let dueCalls = 0
    while (isRunning) {
      const now = performance.now()
      dueCalls += (Math.min(now - lastTickAt, CATCH_UP_MS) * perSecond) / 1000
      lastTickAt = now
      for (; dueCalls >= 1; dueCalls -= 1) {
        const promise = call()
        pending.add(promise)
        void promise.then(() => pending.delete(promise))
      }
      await wait(2)
    }
  }
  const pacing = pace()

  return {
    answered,
    async end() {
      isRunning = false
      await pacing
      await Promise.all(pending)
      agent.destroy()
      return answered
    }
  }
}
