// Single flight: one fetch for all callers who ask for the same at the same time. They share its result and its failure, so
// that a failing upstream is not asked again by each of them. Only when the fetch failed because of the caller whose token
// was used do the others fetch with their own.
import { problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import { concernsCaller } from './transport/failures.ts'

/** `beganAt` in milliseconds since 1970. Its signal is aborted when nobody waits any more. */
export type Fetch<T> = (signal: AbortSignal, beganAt: number) => Promise<T>

export interface Shared<T> {
  fetch: Fetch<T>
  /** Gets what was fetched, by whomever, unless the name was forgotten meanwhile. */
  keep: (result: T, beganAt: number) => void
  /** A fetch that began before is not joined. */
  notBefore?: number
  /** Aborted when the caller goes; one who has none does not go. */
  signal?: AbortSignal | undefined
}

export interface SingleFlight<T> {
  /**
   * The result of the fetch under that name, begun with the caller's own where none is under way. Rejects with its failure,
   * and with a 499 problem when the caller went.
   */
  share(name: string, shared: Shared<T>): Promise<T>
  isUnderWay(name: string): boolean
  /** Those who wait still get what comes of it; nobody joins, and nothing is kept. */
  forget(isMeant: (name: string) => boolean): void
}

interface Flight<T> {
  name: string
  beganAt: number
  done: Promise<T>
  gone: AbortController
  waiting: number
  forgotten: boolean
}

export function createSingleFlight<T>(clock: Clock): SingleFlight<T> {
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
    isUnderWay: (name) => joinable.has(name),
    forget(isMeant) {
      for (const flight of underWay) if (isMeant(flight.name)) flight.forgotten = true
      for (const name of joinable.keys()) if (isMeant(name)) joinable.delete(name)
    },
    async share(name, shared) {
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
        // All at once: if each joined the next one's fetch, refusals would come one after the other.
        return wait(begin(name, shared), signal)
      }
    }
  }
}
