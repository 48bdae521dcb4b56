// Work under way that many wait for: done once for all of them, and given up when the last one has gone.
import { problems } from '../errors.ts'

export interface Flights<T> {
  /**
   * Waits for the work of that name, begun if it is not under way. `land` gets what comes of it, unless it was forgotten
   * meanwhile. Rejects with a 499 problem when `signal` is aborted; one who has no signal does not go.
   */
  join(name: string, work: Work<T>, land: (result: T) => void, signal?: AbortSignal): Promise<T>
  isUnderWay(name: string): boolean
  /** Those who wait still get what comes of it; nobody joins, and nothing is kept. */
  forget(isMeant: (name: string) => boolean): void
}

/** Its signal is aborted when nobody waits any more. */
type Work<T> = (signal: AbortSignal) => Promise<T>

interface Flight<T> {
  done: Promise<T>
  gone: AbortController
  waiting: number
}

export function createFlights<T>(): Flights<T> {
  const underWay = new Map<string, Flight<T>>()

  function depart(name: string, work: Work<T>, land: (result: T) => void): Flight<T> {
    const gone = new AbortController()
    const done = work(gone.signal).then(
      (result) => {
        if (remove(name, flight)) land(result)
        return result
      },
      (error) => {
        remove(name, flight)
        throw error
      }
    )
    done.catch(() => {})
    const flight: Flight<T> = { done, gone, waiting: 0 }
    underWay.set(name, flight)
    return flight
  }

  function remove(name: string, flight: Flight<T>): boolean {
    return underWay.get(name) === flight && underWay.delete(name)
  }

  return {
    isUnderWay: (name) => underWay.has(name),
    forget(isMeant) {
      for (const name of underWay.keys()) if (isMeant(name)) underWay.delete(name)
    },
    join(name, work, land, signal) {
      if (signal?.aborted) return Promise.reject(problems.clientGone())
      const flight = underWay.get(name) ?? depart(name, work, land)
      flight.waiting += 1
      if (signal === undefined) return flight.done
      return new Promise((resolve, reject) => {
        const leave = () => {
          flight.waiting -= 1
          if (flight.waiting === 0) {
            remove(name, flight)
            flight.gone.abort()
          }
          reject(problems.clientGone())
        }
        signal.addEventListener('abort', leave, { once: true })
        void flight.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
      })
    }
  }
}
