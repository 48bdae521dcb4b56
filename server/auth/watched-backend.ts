// A session backend whose failures are told to somebody; the caller gets them all the same.
import type { SessionBackend } from './session-backend.ts'

type AnyCall = (...given: unknown[]) => Promise<unknown>

/** @param onFailure gets what the store's own library threw */
export function watchedBackend(backend: SessionBackend, onFailure: (error: unknown) => void): SessionBackend {
  const told = (error: unknown): never => {
    onFailure(error)
    throw error
  }
  const watched = Object.entries(backend).map(([name, call]: [string, AnyCall]) => [
    name,
    (...given: unknown[]) => call.apply(backend, given).catch(told)
  ])
  return Object.fromEntries(watched)
}
