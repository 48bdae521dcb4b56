// Shares one fetch, and its result or failure, among concurrent callers for the same name, so that they do not all call a
// failing upstream. If the fetch failed because of its caller's token, the other callers fetch with their own tokens.
import { problems } from '../errors.ts'
import type { Clock } from '../types.ts'
import { concernsCaller } from './transport/failures.ts'

/** @param signal aborted when no caller waits any more @param beganAt milliseconds since 1970 */
export type Fetch<T> = (signal: AbortSignal, beganAt: number) => Promise<T>

export interface Shared<T> {
  fetch: Fetch<T>
  /** Stores the result of this caller's fetch. Not called if `forget` was called for the name meanwhile. */
  keep: (result: T, beganAt: number) => void
  /** The caller does not join a fetch that began earlier. In milliseconds since 1970. */
  notBefore?: number
  /** Aborted when the caller disconnects. */
  signal?: AbortSignal | undefined
}

interface Flight<T> {
  name: string
  beganAt: number
  promise: Promise<T>
  aborter: AbortController
  waiting: number
  forgotten: boolean
}

export function createSingleFlight<T>(clock: Clock) {
  const flights = new Set<Flight<T>>()
  const joinableFlights = new Map<string, Flight<T>>()

  function begin(name: string, { fetch, keep }: Shared<T>): Flight<T> {
    const aborter = new AbortController()
    const beganAt = clock()
    const promise = fetch(aborter.signal, beganAt).then(
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
    promise.catch(() => {})
    const flight: Flight<T> = { name, beganAt, promise, aborter, waiting: 0, forgotten: false }
    flights.add(flight)
    return flight
  }

  function end(flight: Flight<T>): void {
    flights.delete(flight)
    if (joinableFlights.get(flight.name) === flight) joinableFlights.delete(flight.name)
  }

  function abandon(flight: Flight<T>): void {
    flight.forgotten = true
    end(flight)
    flight.aborter.abort()
  }

  function wait(flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> {
    flight.waiting += 1
    if (signal === undefined) return flight.promise
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting -= 1
        if (flight.waiting === 0) abandon(flight)
        reject(problems.clientGone())
      }
      signal.addEventListener('abort', leave, { once: true })
      void flight.promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  return {
    isJoinable: (name: string): boolean => joinableFlights.has(name),
    /** Running fetches still answer their waiting callers, but no caller joins them and `keep` is not called. */
    forget(matches: (name: string) => boolean): void {
      for (const flight of flights) if (matches(flight.name)) flight.forgotten = true
      for (const name of joinableFlights.keys()) if (matches(name)) joinableFlights.delete(name)
    },
    /** Running fetches answer their waiting callers and are kept, but no other caller joins them. */
    stopJoining(matches: (name: string) => boolean): void {
      for (const name of joinableFlights.keys()) if (matches(name)) joinableFlights.delete(name)
    },
    /**
     * Joins the running fetch for this name, or starts one. Returns the result, or rejects with the failure, or with a 499
     * problem if the caller disconnects.
     */
    async share(name: string, shared: Shared<T>): Promise<T> {
      const { signal, notBefore = Number.NEGATIVE_INFINITY } = shared
      if (signal?.aborted) throw problems.clientGone()
      const leader = joinableFlights.get(name)
      if (leader === undefined || leader.beganAt < notBefore) {
        if (leader) leader.forgotten = true
        const flight = begin(name, shared)
        joinableFlights.set(name, flight)
        return wait(flight, signal)
      }
      try {
        return await wait(leader, signal)
      } catch (error) {
        if (signal?.aborted || !concernsCaller(error)) throw error
        // Each waiting caller fetches at once. If callers joined each other's fetches, each would wait for all earlier refusals.
        return wait(begin(name, shared), signal)
      }
    }
  }
}
