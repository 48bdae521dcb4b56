// Shares one fetch and its result or failure among concurrent callers for the same name, so that they do not all call a failing
// upstream. If the fetch failed because of its caller's token, the others fetch with their own.
import { problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import { concernsCaller } from './transport/failures.ts'

/** `beganAt` in milliseconds since 1970. The signal is aborted when no caller waits any more. */
export type Fetch<T> = (signal: AbortSignal, beganAt: number) => Promise<T>

export interface Shared<T> {
  fetch: Fetch<T>
  /** Receives the result of this caller's fetch, unless the name was forgotten meanwhile. */
  keep: (result: T, beganAt: number) => void
  /** An older fetch is not joined. */
  notBefore?: number
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal | undefined
}

interface Flight<T> {
  name: string
  beganAt: number
  done: Promise<T>
  gone: AbortController
  waiting: number
  forgotten: boolean
}

export function createSingleFlight<T>(clock: Clock) {
  const underWay = new Set<Flight<T>>()
  const joinable = new Map<string, Flight<T>>()

  function begin(name: string, { fetch, keep }: Shared<T>): Flight<T> {
    const gone = new AbortController()
    const beganAt = clock()
    const done = fetch(gone.signal, beganAt).then(
      (result) => {
        end(flight)
        if (!flight.forgotten) keep(result, beganAt)
        return result
      },
      (error) => {
        end(flight)
        throw error
      }
    )
    done.catch(() => {})
    const flight: Flight<T> = { name, beganAt, done, gone, waiting: 0, forgotten: false }
    underWay.add(flight)
    return flight
  }

  function end(flight: Flight<T>): void {
    underWay.delete(flight)
    if (joinable.get(flight.name) === flight) joinable.delete(flight.name)
  }

  function abandon(flight: Flight<T>): void {
    flight.forgotten = true
    end(flight)
    flight.gone.abort()
  }

  function wait(flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> {
    flight.waiting += 1
    if (signal === undefined) return flight.done
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1
        if (flight.waiting === 0) abandon(flight)
        reject(problems.clientGone())
      }
      signal.addEventListener('abort', leave, { once: true })
      void flight.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  return {
    isJoinable: (name: string): boolean => joinable.has(name),
    /** Running fetches still answer their waiters, but no caller joins them and `keep` is not called. */
    forget(isMeant: (name: string) => boolean): void {
      for (const flight of underWay) if (isMeant(flight.name)) flight.forgotten = true
      for (const name of joinable.keys()) if (isMeant(name)) joinable.delete(name)
    },
    /**
     * The result of the fetch under that name; starts one for the caller if none is running. Rejects with the failure, and with
     * a 499 problem if the caller disconnects.
     */
    async share(name: string, shared: Shared<T>): Promise<T> {
      const { signal, notBefore = Number.NEGATIVE_INFINITY } = shared
      if (signal?.aborted) throw problems.clientGone()
      const leader = joinable.get(name)
      if (leader === undefined || leader.beganAt < notBefore) {
        if (leader) leader.forgotten = true
        const own = begin(name, shared)
        joinable.set(name, own)
        return wait(own, signal)
      }
      try {
        return await wait(leader, signal)
      } catch (error) {
        if (signal?.aborted || !concernsCaller(error)) throw error
        // Each waiter fetches at once. If they joined each other's fetches, each would wait for the refusals before it.
        return wait(begin(name, shared), signal)
      }
    }
  }
}
