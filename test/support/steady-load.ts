// Makes calls at a steady rate, even when answers are slow.
import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'

export interface Answered {
  status: number
  retryAfter: string | undefined
  problem: string | undefined
  begun: number
  ended: number
}

export interface SteadyLoad {
  answered: Answered[]
  end(): Promise<Answered[]>
}

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
  const agent = new Agent({ keepAlive: true })
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
      get(url + path, { agent, headers }, (answer) => {
        answer.on('error', () => done(0))
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.once('end', () => {
          const [, problem] = /"type":"urn:portal:problem:(\w+)"/.exec(text) ?? []
          done(answer.statusCode ?? 0, answer.headers['retry-after'], problem)
        })
      }).once('error', () => done(0))
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
