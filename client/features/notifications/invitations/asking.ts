// What a person has said to their invitations on this page: with the next load each that is unanswered asks again.
import { createStore } from 'zustand/vanilla'

interface Asking {
  /** Put off. */
  later: readonly string[]
  /** The one that the person wants to answer after all. */
  wanted: string | null
}

export const asking = createStore((): Asking => ({ later: [], wanted: null }))

export function putOff(ids: readonly string[]): void {
  asking.setState(({ later }) => ({ later: [...later, ...ids], wanted: null }))
}

export function want(id: string): void {
  asking.setState({ wanted: id })
}
