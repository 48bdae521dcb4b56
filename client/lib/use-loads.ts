import { useEffect, useState, useSyncExternalStore } from 'react'
import { createLoads, type LoadState, type Loads, type Wanted } from './loads.ts'

/** Loads what is wanted, so many at once, as long as the component is there. */
export function useLoads<T>(
  wanted: readonly Wanted<T>[],
  atOnce: number
): { loads: Loads<T>; states: ReadonlyMap<string, LoadState<T>> } {
  const [loads] = useState(() => createLoads<T>(atOnce))
  const states = useSyncExternalStore(loads.subscribe, loads.state)
  useEffect(() => loads.want(wanted))
  useEffect(() => () => loads.close(), [loads])
  return { loads, states }
}
